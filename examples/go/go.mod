module lmdl-adapter

go 1.23
