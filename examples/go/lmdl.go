package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// A Coordinate is a place in the data stream; its fields are in the order of
// the bytes.
type Coordinate struct {
	ShardID         uint32 `json:"shard_id"`
	ByteOffset      uint64 `json:"byte_offset,string"`
	RowGroupIdx     uint32 `json:"row_group_idx"`
	PageIdx         uint32 `json:"page_idx"`
	RowOffsetInPage uint32 `json:"row_offset_in_page"`
	GlobalRowIdx    uint64 `json:"global_row_idx,string"`
}

// A Slot is one committed state; its fields are bytes 8 to 59, in order.
type Slot struct {
	Epoch            uint64     `json:"epoch,string"`
	CommittedBatchID uint64     `json:"committed_batch_id,string"`
	Coordinate       Coordinate `json:"coordinate"`
	DedupCount       uint32     `json:"dedup_count"`
}

// Recovered is the state that a program goes on from.
type Recovered struct {
	Slot
	Active    *string           `json:"active"`
	LogLength uint64            `json:"log_length,string"`
	Slots     map[string]string `json:"slots"`
}

// A Rejection says why an input is refused and, for some reasons, where.
type Rejection struct {
	Reason string `json:"reason"`
	At     string `json:"at,omitempty"`
}

func (r *Rejection) Error() string { return r.Reason }

func DecodeCoordinate(data []byte) (c Coordinate, err error) {
	if len(data) != 32 {
		return c, &Rejection{Reason: "coordinate-size"}
	}
	_, err = binary.Decode(data, binary.LittleEndian, &c)
	return c, err
}

func (c Coordinate) Encode() ([]byte, error) {
	return binary.Append(nil, binary.LittleEndian, c)
}

func DecodeSlot(data []byte) (s Slot, err error) {
	switch {
	case len(data) != 64:
		return s, &Rejection{Reason: "slot-size"}
	case !hasMagic(data):
		return s, &Rejection{Reason: "slot-magic"}
	case !hasVersion(data):
		return s, &Rejection{Reason: "slot-version"}
	case !hasChecksum(data):
		return s, &Rejection{Reason: "slot-crc"}
	}
	_, err = binary.Decode(data[8:60], binary.LittleEndian, &s)
	return s, err
}

func (s Slot) Encode() ([]byte, error) {
	data, err := binary.Append([]byte("LMDL\x01\x00\x00\x00"), binary.LittleEndian, s)
	return binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data)), err
}

func hasMagic(slot []byte) bool   { return string(slot[:4]) == "LMDL" }
func hasVersion(slot []byte) bool { return binary.LittleEndian.Uint32(slot[4:]) == 1 }
func hasChecksum(slot []byte) bool {
	return binary.LittleEndian.Uint32(slot[60:]) == crc32.ChecksumIEEE(slot[:60])
}

// Recover chooses the slot to go on from. A file that is not there is an empty
// meta, a log that is not there has length 0.
func Recover(meta []byte, logLength uint64) (*Recovered, error) {
	if len(meta) == 0 || bytes.Equal(meta, make([]byte, 128)) {
		return &Recovered{Slots: map[string]string{"A": "slot-magic", "B": "slot-magic"}}, nil
	}
	if len(meta) != 128 {
		return nil, &Rejection{Reason: "meta-size"}
	}
	names, halves := []string{"A", "B"}, [][]byte{meta[:64], meta[64:]}
	for i, half := range halves {
		if hasMagic(half) && hasChecksum(half) && !hasVersion(half) {
			return nil, &Rejection{Reason: "meta-version", At: "slot/" + names[i]}
		}
	}
	r := &Recovered{Slots: map[string]string{}}
	for i, half := range halves {
		slot, err := DecodeSlot(half)
		if err != nil {
			r.Slots[names[i]] = err.Error()
			continue
		}
		r.Slots[names[i]] = "valid"
		if r.Active == nil || slot.Epoch > r.Epoch {
			r.Slot, r.Active = slot, &names[i]
		}
	}
	if r.Active == nil {
		return nil, &Rejection{Reason: "meta-no-valid-slot"}
	}
	r.LogLength = uint64(r.DedupCount) * 8
	if logLength < r.LogLength {
		return nil, &Rejection{Reason: "dedup-short"}
	}
	return r, nil
}
