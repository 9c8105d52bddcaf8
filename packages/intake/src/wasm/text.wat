;; Scanning text and escaping it for JSON, sixteen bytes at a time.
;;
;; The caller writes a chunk of at most `input_capacity` bytes at address 0 and fills its last block
;; and one byte more with spaces. For `scan` that byte after a full chunk is instead the first byte
;; of the chunk that follows, so that a C1 control split by the chunk's end is still seen.
(module
  (memory (export "memory") 8)
  (global (export "input_capacity") i32 (i32.const 65536))
  (global $output (export "output") i32 (i32.const 66560))

  ;; What `scan` has gathered since the caller last set these. `c1` is the offset, in the chunk that
  ;; set it, of the first of U+0080 to U+009F, or -1. `run` is the run of backticks at the very end.
  (global $short_escapes (export "short_escapes") (mut i32) (i32.const 0))
  (global $c1 (export "c1") (mut i32) (i32.const -1))
  (global $run (export "run") (mut i32) (i32.const 0))
  (global $longest_run (export "longest_run") (mut i32) (i32.const 0))

  ;; Classes of bytes. The class of a byte is low[byte & 15] AND high[byte >> 4]:
  ;;   0x07 an illegal control character    0x38 tab, line feed, form feed, return, quote, backslash
  ;;   0x40 a backtick                      0x80 the byte C2, which begins U+0080 to U+00BF
  (data (i32.const 464896) "\43\03\93\03\03\03\03\03\03\0a\0a\03\2a\0a\03\07")
  (data (i32.const 464912) "\09\02\10\00\00\20\40\04\00\00\00\00\80\00\00\00")
  ;; Constants for whole vectors; from memory, because the engine would rebuild them in every round.
  ;; Nibble, the notable classes, the classes with short escapes, first after C1, backtick.
  (data (i32.const 464928) "\0f\c7\38\a0\60")
  ;; First printable, quote, backslash.
  (data (i32.const 464936) "\20\22\5c")
  ;; Added to a byte below 16 it gives the letter of its short escape: \b \t \n \f \r.
  (data (i32.const 464944) "\00\00\00\00\00\00\00\00\5a\6b\64\00\5a\65\00\00")
  (data (i32.const 464960) "0123456789abcdef")

  ;; At 460800, 16 bytes for each of the 256 ways in which eight bytes can need escapes: which of the
  ;; eight stands at each place of what comes out, 0x80 where a backslash stands.
  (start $build_expansions)
  (func $build_expansions
    (local $mask i32) (local $bit i32) (local $to i32)
    (loop $next_mask
      (local.set $to (i32.add (i32.const 460800) (i32.shl (local.get $mask) (i32.const 4))))
      (local.set $bit (i32.const 0))
      (loop $next_bit
        (if (i32.and (i32.shr_u (local.get $mask) (local.get $bit)) (i32.const 1))
          (then
            (i32.store8 (local.get $to) (i32.const 0x80))
            (local.set $to (i32.add (local.get $to) (i32.const 1)))))
        (i32.store8 (local.get $to) (local.get $bit))
        (local.set $to (i32.add (local.get $to) (i32.const 1)))
        (local.set $bit (i32.add (local.get $bit) (i32.const 1)))
        (br_if $next_bit (i32.lt_u (local.get $bit) (i32.const 8))))
      (local.set $mask (i32.add (local.get $mask) (i32.const 1)))
      (br_if $next_mask (i32.lt_u (local.get $mask) (i32.const 256)))))

  ;; Scans `length` bytes; returns the offset of the first illegal control character, or -1.
  (func (export "scan") (param $length i32) (result i32)
    (local $at i32) (local $run i32) (local $escapes i32)
    (local $bytes v128) (local $class v128) (local $found v128)
    (local $low v128) (local $high v128) (local $nibble v128) (local $notable v128) (local $short v128)
    (local $zero v128)
    (local.set $run (global.get $run))
    (local.set $low (v128.load (i32.const 464896)))
    (local.set $high (v128.load (i32.const 464912)))
    (local.set $nibble (v128.load8_splat (i32.const 464928)))
    (local.set $notable (v128.load8_splat (i32.const 464929)))
    (local.set $short (v128.load8_splat (i32.const 464930)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $bytes (v128.load (local.get $at)))
        (local.set $class
          (v128.and
            (i8x16.swizzle (local.get $low) (v128.and (local.get $bytes) (local.get $nibble)))
            (i8x16.swizzle (local.get $high)
              (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (local.get $nibble)))))
        (local.set $escapes
          (i32.add (local.get $escapes)
            (i32.popcnt (i8x16.bitmask
              (i8x16.gt_u (v128.and (local.get $class) (local.get $short)) (local.get $zero))))))
        (if (v128.any_true (v128.and (local.get $class) (local.get $notable)))
          (then
            (local.set $found (v128.and (local.get $class) (v128.const i8x16 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7)))
            (if (v128.any_true (local.get $found))
              (then
                (return
                  (i32.add (local.get $at)
                    (i32.ctz (i8x16.bitmask (i8x16.gt_u (local.get $found) (local.get $zero))))))))
            (if (i32.lt_s (global.get $c1) (i32.const 0))
              (then (call $note_c1 (local.get $at) (local.get $class))))
            (local.set $run
              (call $follow_run
                (i8x16.bitmask (i8x16.eq (local.get $bytes) (v128.load8_splat (i32.const 464932))))
                (local.get $run))))
          (else (local.set $run (i32.const 0))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (global.set $run (local.get $run))
    (global.set $short_escapes (i32.add (global.get $short_escapes) (local.get $escapes)))
    (i32.const -1))

  ;; Sets `c1` if a byte below A0 follows one of the C2 bytes of the block at `at`. Their class is the
  ;; only one with the sign bit.
  (func $note_c1 (param $at i32) (param $class v128)
    (local $mask i32)
    (local.set $mask
      (i32.and
        (i8x16.bitmask (local.get $class))
        (i8x16.bitmask
          (i8x16.lt_u (v128.load offset=1 (local.get $at)) (v128.load8_splat (i32.const 464931))))))
    (if (local.get $mask)
      (then (global.set $c1 (i32.add (local.get $at) (i32.ctz (local.get $mask)))))))

  ;; Follows runs of backticks through one block: bit n of `ticks` stands for byte n, `run` is the
  ;; run with which the block before ended. Returns the run with which this one ends.
  (func $follow_run (param $ticks i32) (param $run i32) (result i32)
    (local $left i32) (local $count i32)
    (local.set $left (i32.const 16))
    (loop $next
      (local.set $count (i32.ctz (i32.xor (local.get $ticks) (i32.const -1))))
      (local.set $run (i32.add (local.get $run) (local.get $count)))
      (if (i32.gt_u (local.get $run) (global.get $longest_run))
        (then (global.set $longest_run (local.get $run))))
      (local.set $ticks (i32.shr_u (local.get $ticks) (local.get $count)))
      (local.set $left (i32.sub (local.get $left) (local.get $count)))
      (if (i32.eqz (local.get $left)) (then (return (local.get $run))))
      (local.set $run (i32.const 0))
      (if (i32.eqz (local.get $ticks)) (then (return (local.get $run))))
      (local.set $count (i32.ctz (local.get $ticks)))
      (local.set $ticks (i32.shr_u (local.get $ticks) (local.get $count)))
      (local.set $left (i32.sub (local.get $left) (local.get $count)))
      (br $next))
    (unreachable))

  ;; Writes `length` bytes at `output` as they stand inside a JSON string; returns how many came out.
  (func (export "escape") (param $length i32) (result i32)
    (local $from i32) (local $to i32) (local $mask i32)
    (local $bytes v128) (local $letters v128) (local $places v128)
    (local $printable v128) (local $quote v128) (local $backslash v128) (local $to_letter v128)
    (local.set $to (global.get $output))
    (local.set $printable (v128.load8_splat (i32.const 464936)))
    (local.set $quote (v128.load8_splat (i32.const 464937)))
    (local.set $backslash (v128.load8_splat (i32.const 464938)))
    (local.set $to_letter (v128.load (i32.const 464944)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $length)))
        (local.set $bytes (v128.load (local.get $from)))
        (local.set $mask
          (i8x16.bitmask
            (v128.or
              (i8x16.lt_u (local.get $bytes) (local.get $printable))
              (v128.or
                (i8x16.eq (local.get $bytes) (local.get $quote))
                (i8x16.eq (local.get $bytes) (local.get $backslash))))))
        (if (i32.eqz (local.get $mask))
          (then
            (v128.store (local.get $to) (local.get $bytes))
            (local.set $from (i32.add (local.get $from) (i32.const 16)))
            (local.set $to (i32.add (local.get $to) (i32.const 16)))
            (br $next)))
        (local.set $letters
          (i8x16.add (local.get $bytes) (i8x16.swizzle (local.get $to_letter) (local.get $bytes))))
        (if (v128.any_true (i8x16.lt_u (local.get $letters) (local.get $printable)))
          (then (local.set $to (call $escape_block (local.get $from) (local.get $to))))
          (else
            (local.set $places
              (v128.load offset=460800 (i32.shl (i32.and (local.get $mask) (i32.const 255)) (i32.const 4))))
            (v128.store (local.get $to)
              (v128.or
                (i8x16.swizzle (local.get $letters) (local.get $places))
                (v128.and (i8x16.shr_s (local.get $places) (i32.const 7)) (local.get $backslash))))
            (local.set $to
              (i32.add (i32.add (local.get $to) (i32.const 8))
                (i32.popcnt (i32.and (local.get $mask) (i32.const 255)))))
            (local.set $mask (i32.shr_u (local.get $mask) (i32.const 8)))
            (local.set $places (v128.load offset=460800 (i32.shl (local.get $mask) (i32.const 4))))
            (v128.store (local.get $to)
              (v128.or
                (i8x16.swizzle
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15
                    (local.get $letters) (local.get $letters))
                  (local.get $places))
                (v128.and (i8x16.shr_s (local.get $places) (i32.const 7)) (local.get $backslash))))
            (local.set $to
              (i32.add (i32.add (local.get $to) (i32.const 8)) (i32.popcnt (local.get $mask))))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $next)))
    ;; The last block copied its filling too: spaces, which come out one for one.
    (i32.sub
      (i32.sub (local.get $to) (global.get $output))
      (i32.sub (local.get $from) (local.get $length))))

  ;; Escapes a block that holds a control character without a short escape; returns the new `to`.
  (func $escape_block (param $from i32) (param $to i32) (result i32)
    (local $end i32) (local $byte i32) (local $letter i32)
    (local.set $end (i32.add (local.get $from) (i32.const 16)))
    (loop $next
      (local.set $byte (i32.load8_u (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (local.set $letter (i32.const 0))
      (if (i32.or (i32.eq (local.get $byte) (i32.const 34)) (i32.eq (local.get $byte) (i32.const 92)))
        (then (local.set $letter (local.get $byte))))
      (if (i32.lt_u (local.get $byte) (i32.const 16))
        (then (local.set $letter (i32.load8_u offset=464944 (local.get $byte)))
          (if (local.get $letter)
            (then (local.set $letter (i32.add (local.get $letter) (local.get $byte)))))))
      (if (local.get $letter)
        (then
          (i32.store8 (local.get $to) (i32.const 92))
          (i32.store8 offset=1 (local.get $to) (local.get $letter))
          (local.set $to (i32.add (local.get $to) (i32.const 2))))
        (else
          (if (i32.lt_u (local.get $byte) (i32.const 32))
            (then
              (i32.store (local.get $to) (i32.const 0x3030755C)) ;; \u00
              (i32.store8 offset=4 (local.get $to)
                (i32.load8_u offset=464960 (i32.shr_u (local.get $byte) (i32.const 4))))
              (i32.store8 offset=5 (local.get $to)
                (i32.load8_u offset=464960 (i32.and (local.get $byte) (i32.const 15))))
              (local.set $to (i32.add (local.get $to) (i32.const 6))))
            (else
              (i32.store8 (local.get $to) (local.get $byte))
              (local.set $to (i32.add (local.get $to) (i32.const 1)))))))
      (br_if $next (i32.lt_u (local.get $from) (local.get $end))))
    (local.get $to)))
