"""How an implementation is driven, whatever the format: protocol, process, runner, judge, result model."""
