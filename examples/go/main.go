// An adapter of protocol 1 for some of the lmdl operations. This file speaks the
// protocol; lmdl.go, in the place of your library, knows the format.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// An object's members are not read yet, so that integers keep all their digits.
type object map[string]json.RawMessage

// An operation reads its input and answers. What it makes of an input in which
// the reader met a fault is thrown away.
type operation func(r *reader, in object) (any, error)

var operations = map[string]operation{
	"lmdl.coordinate.decode": func(r *reader, in object) (any, error) { return decode(DecodeCoordinate(r.bytes(in["data"]))) },
	"lmdl.coordinate.encode": func(r *reader, in object) (any, error) { return encode(r.coordinate(in["value"])) },
	"lmdl.slot.decode":       func(r *reader, in object) (any, error) { return decode(DecodeSlot(r.bytes(in["data"]))) },
	"lmdl.slot.encode":       func(r *reader, in object) (any, error) { return encode(r.slot(in["value"])) },
	"lmdl.recover": func(r *reader, in object) (any, error) {
		var meta []byte
		if string(in["meta"]) != "null" {
			meta = r.bytes(in["meta"])
		}
		return Recover(meta, r.u64(in["log_length"], "log_length"))
	},
}

type encoder interface{ Encode() ([]byte, error) }

func decode[T encoder](value T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	data, err := value.Encode()
	return map[string]any{"value": value, "data": data}, err // a []byte is base64 in JSON
}

func encode(value encoder) (any, error) {
	data, err := value.Encode()
	return map[string]any{"data": data}, err
}

// A reader reads the parts of a request and keeps the first fault: a value
// outside its width is a Rejection, any other fault a malformed request.
type reader struct{ err error }

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) coordinate(raw json.RawMessage) Coordinate {
	in := r.object(raw)
	return Coordinate{
		ShardID:         r.u32(in["shard_id"], "coordinate/shard_id"),
		ByteOffset:      r.u64(in["byte_offset"], "coordinate/byte_offset"),
		RowGroupIdx:     r.u32(in["row_group_idx"], "coordinate/row_group_idx"),
		PageIdx:         r.u32(in["page_idx"], "coordinate/page_idx"),
		RowOffsetInPage: r.u32(in["row_offset_in_page"], "coordinate/row_offset_in_page"),
		GlobalRowIdx:    r.u64(in["global_row_idx"], "coordinate/global_row_idx"),
	}
}

func (r *reader) slot(raw json.RawMessage) Slot {
	in := r.object(raw)
	return Slot{
		Epoch:            r.u64(in["epoch"], "epoch"),
		CommittedBatchID: r.u64(in["committed_batch_id"], "committed_batch_id"),
		Coordinate:       r.coordinate(in["coordinate"]),
		DedupCount:       r.u32(in["dedup_count"], "dedup_count"),
	}
}

func (r *reader) object(raw json.RawMessage) (o object) {
	if json.Unmarshal(raw, &o) != nil || o == nil {
		r.fail(fmt.Errorf("found %.40q, expected an object", raw))
	}
	return o
}

// bytes reads BYTES: base64, or the path of a file.
func (r *reader) bytes(raw json.RawMessage) (data []byte) {
	var text string
	var file struct{ Path string }
	var err error
	switch {
	case json.Unmarshal(raw, &file) == nil && file.Path != "":
		data, err = os.ReadFile(file.Path)
	case json.Unmarshal(raw, &text) != nil || string(raw) == "null" || strings.ContainsAny(text, "\r\n"):
		err = fmt.Errorf("found %.40q, expected padded base64", raw)
	default:
		data, err = base64.StdEncoding.Strict().DecodeString(text)
	}
	if err != nil {
		r.fail(err)
	}
	return data
}

// A u32 is a JSON number and a U64 a string; either may have any number of digits.

func (r *reader) u32(raw json.RawMessage, at string) uint32 {
	return uint32(r.unsigned(string(raw), 32, at))
}

func (r *reader) u64(raw json.RawMessage, at string) uint64 {
	var digits string
	if err := json.Unmarshal(raw, &digits); err != nil {
		r.fail(fmt.Errorf("%s: found %.40q, expected a string", at, raw))
	}
	return r.unsigned(digits, 64, at)
}

var integer = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

func (r *reader) unsigned(digits string, bits int, at string) uint64 {
	value, err := strconv.ParseUint(digits, 10, bits)
	if !integer.MatchString(digits) {
		r.fail(fmt.Errorf("%s: found %.40q, expected an integer", at, digits))
	} else if err != nil {
		r.fail(&Rejection{Reason: "field-out-of-range", At: at})
	}
	return value
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout) // writes each answer at once, with one LF
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		var q struct {
			Cmd, ID, Op string
			Protocol    int
			Input       json.RawMessage
		}
		if err := json.Unmarshal(line, &q); err != nil {
			log.Fatal(err)
		}
		var reply map[string]any
		switch q.Cmd {
		case "start":
			reply = start(q.Protocol)
		case "stop":
			return
		case "run":
			reply = outcome(run(q.Op, q.Input))
			reply["id"] = q.ID
		default:
			reply = outcome(nil, fmt.Errorf("unknown cmd %q", q.Cmd))
			reply["id"] = q.ID
		}
		if err := out.Encode(reply); err != nil {
			log.Fatal(err)
		}
	}
}

func start(protocol int) map[string]any {
	if protocol != 1 {
		return outcome(nil, fmt.Errorf("found protocol %d, expected 1", protocol))
	}
	return map[string]any{
		"protocol": 1,
		"implementation": map[string]string{
			"name": "lmdl-example", "version": "0.1.0", "language": "Go", "runtime": runtime.Version(),
		},
		"operations": slices.Sorted(maps.Keys(operations)),
	}
}

// run answers one question; a panic is a fault of that question only.
func run(op string, input json.RawMessage) (ok any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	answer, listed := operations[op]
	if !listed {
		return nil, fmt.Errorf("not an operation of this adapter: %q", op)
	}
	var r reader
	ok, err = answer(&r, r.object(input))
	if r.err != nil {
		return nil, r.err
	}
	return ok, err
}

func outcome(ok any, err error) map[string]any {
	var rejection *Rejection
	switch {
	case errors.As(err, &rejection):
		return map[string]any{"reject": rejection}
	case err != nil:
		return map[string]any{"error": map[string]string{"message": err.Error()}}
	}
	return map[string]any{"ok": ok}
}
