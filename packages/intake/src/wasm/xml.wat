;; Passes the parts of an XML document that were seen before: start tags whose every byte is the same as in
;; one that the caller has read with care, their end tags, and plain text.
;;
;; The caller copies a part of the document to `window`, with 512 zeros after it, fills in the state and
;; calls `run`, which writes events to `tape`. It stops before whatever it cannot judge.
(module
  (memory (export "memory") 10)

  ;; The state, i32 each, at address 0. Offsets in the document are addresses plus `base`.
  ;;   0 address to go on at        4 address of the window's end      8 base
  ;;  12 elements that are open    16 the most that may be            20 depth of the one not to close here
  ;;  24 scope                     28 1 to report everything          32 address after the last event
  ;;  36 the name that is not resolved in the scope
  ;;  40 i64, odd: multiplies hashes
  ;;  48 tags that are remembered  52 address after the last key

  ;; For each number of an element 1 if its text is reported.
  (global $texts (export "texts") i32 (i32.const 256))
  ;; For each open element four i32: its name or 0, where it stands in the document, its length in bytes,
  ;; the element's number.
  (global $open (export "open") i32 (i32.const 8192))
  ;; Events of four i32:
  ;;   1 + 4 * element, depth, offset of the tag, length of its name      a start
  ;;   2 + 4 * element, depth, offset of the tag, length of its name      a close
  ;;   3 + 4 * escaped, depth, offset, offset of the end                  text; 1: has references or carriage returns
  (global $tape (export "tape") i32 (i32.const 24576))
  (global $tape_full i32 (i32.const 40928))
  ;; For each name 64 bytes: i32 scope in which it is resolved, i32 number of its element there, i32 length
  ;; of its end tag, and from 16 on the end tag, filled with zeros. Name 0 has the end tag that is one zero: it is never met.
  (global $names (export "names") i32 (i32.const 40960))
  (data (i32.const 40968) "\01")
  ;; The start tags that are remembered, found by hash. Each has i32 hash, i32 address of its key or 0,
  ;; u16 length, u8 1 if it is of an empty element, u8 1 if it has attributes with a prefix,
  ;; u16 name, u16 length of the name.
  (global $tags (export "tags") i32 (i32.const 106496))
  (global $tags_mask i32 (i32.const 8191))
  (global $tags_full i32 (i32.const 4096))
  ;; For each of them an i32: the scope in which the prefixes of its attributes are known to be declared.
  (global $scopes (export "scopes") i32 (i32.const 237568))
  ;; Hashes of tags that were seen, and are worth remembering when they are seen again.
  (global $seen i32 (i32.const 270336))
  ;; The bytes of the tags, each begins at a multiple of sixteen and is followed by zeros up to the next.
  (global $keys (export "keys") i32 (i32.const 286720))
  (global $keys_full i32 (i32.const 548608))
  (global $tag_bytes_max i32 (i32.const 256))
  (global $window (export "window") i32 (i32.const 548864))
  ;; Sixteen bytes from 16 - n on keep the first n bytes of a vector.
  (data (i32.const 64) "\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff")

  ;; Returns why it stopped: 0 before what it cannot judge, 1 before what may go on after the window,
  ;; 2 because the tape is full, 3 before a name that is not resolved, 4 before a tag that should be
  ;; remembered.
  (func (export "run") (result i32)
    (local $at i32) (local $end i32) (local $base i32) (local $depth i32) (local $scope i32)
    (local $all i32) (local $tape i32) (local $open i32) (local $is_text i32) (local $multiplier i64)
    (local $bytes v128) (local $mask i32) (local $length i32) (local $hash i32) (local $slot i32)
    (local $tag i32) (local $name i32) (local $element i32) (local $is_empty i32) (local $to i32)
    (local $why i32)
    (local.set $at (i32.load offset=0 (i32.const 0)))
    (local.set $end (i32.load offset=4 (i32.const 0)))
    (local.set $base (i32.load offset=8 (i32.const 0)))
    (local.set $depth (i32.load offset=12 (i32.const 0)))
    (local.set $scope (i32.load offset=24 (i32.const 0)))
    (local.set $all (i32.load offset=28 (i32.const 0)))
    (local.set $multiplier (i64.load offset=40 (i32.const 0)))
    (local.set $tape (global.get $tape))
    (local.set $open (i32.add (global.get $open) (i32.shl (local.get $depth) (i32.const 4))))
    (local.set $is_text (call $reports_text (local.get $open)))
    (block $stop
      (loop $next
        (if (i32.gt_u (local.get $tape) (global.get $tape_full))
          (then
            (local.set $why (i32.const 2))
            (br $stop)))
        (local.set $bytes (v128.load (local.get $at)))
        (if (i32.ne (i8x16.extract_lane_u 0 (local.get $bytes)) (i32.const 60))
          (then
            (local.set $to (call $text (local.get $at)))
            (if (i32.eqz (local.get $to))
              (then
                (local.set $why (i32.ge_u (global.get $text_end) (local.get $end)))
                (br $stop)))
            (if (local.get $is_text)
              (then
                (i32.store offset=0 (local.get $tape)
                  (i32.or (i32.const 3) (i32.shl (global.get $text_flags) (i32.const 2))))
                (i32.store offset=4 (local.get $tape) (local.get $depth))
                (i32.store offset=8 (local.get $tape) (i32.add (local.get $at) (local.get $base)))
                (i32.store offset=12 (local.get $tape) (i32.add (local.get $to) (local.get $base)))
                (local.set $tape (i32.add (local.get $tape) (i32.const 16)))))
            (local.set $at (local.get $to))
            (br $next)))
        ;; </
        (if (i32.eq (i8x16.extract_lane_u 1 (local.get $bytes)) (i32.const 47))
          (then
            (local.set $name
              (i32.add (global.get $names)
                (i32.shl (i32.load (i32.sub (local.get $open) (i32.const 16))) (i32.const 6))))
            (local.set $length (i32.load offset=8 (local.get $name)))
            (br_if $stop (i32.eqz (call $is_end_tag (local.get $bytes) (local.get $at) (local.get $name) (local.get $length))))
            (br_if $stop (i32.eq (local.get $depth) (i32.load offset=20 (i32.const 0))))
            (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
            (local.set $open (i32.sub (local.get $open) (i32.const 16)))
            (local.set $element (i32.load offset=12 (local.get $open)))
            (if (i32.or (local.get $element) (local.get $all))
              (then
                (i32.store offset=0 (local.get $tape) (i32.or (i32.const 2) (i32.shl (local.get $element) (i32.const 2))))
                (i32.store offset=4 (local.get $tape) (local.get $depth))
                (i32.store offset=8 (local.get $tape) (i32.add (local.get $at) (local.get $base)))
                (i32.store offset=12 (local.get $tape) (i32.load offset=8 (local.get $open)))
                (local.set $tape (i32.add (local.get $tape) (i32.const 16)))))
            (local.set $at (i32.add (local.get $at) (local.get $length)))
            (br_if $stop (i32.eqz (local.get $depth)))
            (local.set $is_text (call $reports_text (local.get $open)))
            (br $next)))
        (local.set $mask (i8x16.bitmask (i8x16.eq (local.get $bytes) (v128.const i8x16 62 62 62 62 62 62 62 62 62 62 62 62 62 62 62 62))))
        (block $found
          (if (local.get $mask)
            (then
              (local.set $length (i32.add (i32.ctz (local.get $mask)) (i32.const 1)))
              (local.set $bytes
                (v128.and (local.get $bytes) (v128.load (i32.sub (i32.const 80) (local.get $length)))))
              (local.set $hash
                (i32.wrap_i64 (i64.shr_u
                  (i64.mul
                    (i64.xor
                      (i64.rotl (i64.mul (i64x2.extract_lane 0 (local.get $bytes)) (local.get $multiplier)) (i64.const 32))
                      (i64x2.extract_lane 1 (local.get $bytes)))
                    (local.get $multiplier))
                  (i64.const 32))))
              (local.set $slot (i32.shr_u (local.get $hash) (i32.const 19)))
              (loop $probe
                (local.set $tag (i32.add (global.get $tags) (i32.shl (local.get $slot) (i32.const 4))))
                (if (i32.eqz (i32.load offset=4 (local.get $tag)))
                  (then
                    (local.set $why (call $unknown (local.get $hash)))
                    (br $stop)))
                (if (i32.eq (i32.load (local.get $tag)) (local.get $hash))
                  (then
                    (if (i32.eq (i32.load16_u offset=8 (local.get $tag)) (local.get $length))
                      (then
                        (br_if $found
                          (i8x16.all_true
                            (i8x16.eq (local.get $bytes) (v128.load (i32.load offset=4 (local.get $tag))))))))))
                (local.set $slot (i32.and (i32.add (local.get $slot) (i32.const 1)) (global.get $tags_mask)))
                (br $probe)))
            (else
              (local.set $length (call $tag_length (local.get $at)))
              (if (i32.eqz (local.get $length))
                (then
                  (local.set $why (i32.gt_u (i32.add (local.get $at) (global.get $tag_bytes_max)) (local.get $end)))
                  (br $stop)))
              (local.set $tag (call $find (local.get $at) (local.get $length)))
              (if (i32.eqz (i32.load offset=4 (local.get $tag)))
                (then
                  (local.set $why (call $unknown (i32.load (local.get $tag))))
                  (br $stop))))))
        (local.set $is_empty (i32.load8_u offset=10 (local.get $tag)))
        (local.set $name (i32.load16_u offset=12 (local.get $tag)))
        (local.set $to (i32.add (global.get $names) (i32.shl (local.get $name) (i32.const 6))))
        (if (i32.ne (i32.load (local.get $to)) (local.get $scope))
          (then
            (i32.store offset=36 (i32.const 0) (local.get $name))
            (local.set $why (i32.const 3))
            (br $stop)))
        (if (i32.load8_u offset=11 (local.get $tag))
          (then
            (if (i32.ne
                  (i32.load (i32.add (global.get $scopes)
                    (i32.shr_u (i32.sub (local.get $tag) (global.get $tags)) (i32.const 2))))
                  (local.get $scope))
              (then
                (local.set $why (i32.const 4))
                (br $stop)))))
        (br_if $stop (i32.ge_u (local.get $depth) (i32.load offset=16 (i32.const 0))))
        (local.set $element (i32.load offset=4 (local.get $to)))
        (if (i32.or (local.get $element) (local.get $all))
          (then
            (i32.store offset=0 (local.get $tape) (i32.or (i32.const 1) (i32.shl (local.get $element) (i32.const 2))))
            (i32.store offset=4 (local.get $tape) (i32.add (local.get $depth) (i32.const 1)))
            (i32.store offset=8 (local.get $tape) (i32.add (local.get $at) (local.get $base)))
            (i32.store offset=12 (local.get $tape) (i32.load16_u offset=14 (local.get $tag)))
            (local.set $tape (i32.add (local.get $tape) (i32.const 16)))
            (if (local.get $is_empty)
              (then
                (i32.store offset=0 (local.get $tape) (i32.or (i32.const 2) (i32.shl (local.get $element) (i32.const 2))))
                (i32.store offset=4 (local.get $tape) (local.get $depth))
                (i32.store offset=8 (local.get $tape) (i32.add (local.get $at) (local.get $base)))
                (i32.store offset=12 (local.get $tape) (i32.load16_u offset=14 (local.get $tag)))
                (local.set $tape (i32.add (local.get $tape) (i32.const 16)))))))
        (if (i32.eqz (local.get $is_empty))
          (then
            (i32.store offset=0 (local.get $open) (local.get $name))
            (i32.store offset=4 (local.get $open) (i32.add (i32.add (local.get $at) (local.get $base)) (i32.const 1)))
            (i32.store offset=8 (local.get $open) (i32.load16_u offset=14 (local.get $tag)))
            (i32.store offset=12 (local.get $open) (local.get $element))
            (local.set $open (i32.add (local.get $open) (i32.const 16)))
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (local.set $is_text
              (i32.or (local.get $all) (i32.load8_u (i32.add (global.get $texts) (local.get $element)))))))
        (local.set $at (i32.add (local.get $at) (local.get $length)))
        (br $next)))
    (i32.store offset=0 (i32.const 0) (local.get $at))
    (i32.store offset=12 (i32.const 0) (local.get $depth))
    (i32.store offset=32 (i32.const 0) (local.get $tape))
    (local.get $why))

  ;; 4 if a tag with that hash was seen before, else 0.
  (func $unknown (param $hash i32) (result i32)
    (local $at i32)
    (local.set $at
      (i32.add (global.get $seen) (i32.shl (i32.shr_u (local.get $hash) (i32.const 20)) (i32.const 2))))
    (if (i32.eq (i32.load (local.get $at)) (local.get $hash)) (then (return (i32.const 4))))
    (i32.store (local.get $at) (local.get $hash))
    (i32.const 0))

  ;; Whether the end tag of the name at address `name` stands at `at`, where `bytes` are loaded from.
  (func $is_end_tag (param $bytes v128) (param $at i32) (param $name i32) (param $length i32) (result i32)
    (if (result i32) (i32.le_u (local.get $length) (i32.const 16))
      (then
        (i8x16.all_true
          (i8x16.eq
            (v128.and (local.get $bytes) (v128.load (i32.sub (i32.const 80) (local.get $length))))
            (v128.load offset=16 (local.get $name)))))
      (else
        (i32.and
          (i8x16.all_true (i8x16.eq (local.get $bytes) (v128.load offset=16 (local.get $name))))
          (i8x16.all_true
            (i8x16.eq
              (call $block
                (i32.add (local.get $at) (i32.const 16))
                (i32.sub (local.get $length) (i32.const 16)))
              (v128.load offset=32 (local.get $name))))))))

  ;; Whether text is reported inside of the innermost of the elements that lie before `open`.
  (func $reports_text (param $open i32) (result i32)
    (i32.or
      (i32.load offset=28 (i32.const 0))
      (i32.load8_u (i32.add (global.get $texts) (i32.load (i32.sub (local.get $open) (i32.const 4)))))))

  ;; Where `text` came to, and what it saw.
  (global $text_end (mut i32) (i32.const 0))
  (global $text_flags (mut i32) (i32.const 0))

  ;; The address of the < that ends a text, 0 if something stands before it that has to be looked at.
  (func $text (param $at i32) (result i32)
    (local $bytes v128) (local $mask i32) (local $byte i32) (local $flags i32)
    (loop $next
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $mask
        (i8x16.bitmask
          (v128.or
            (v128.or
              (i8x16.eq (local.get $bytes) (v128.const i8x16 60 60 60 60 60 60 60 60 60 60 60 60 60 60 60 60))
              (i8x16.eq (local.get $bytes) (v128.const i8x16 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38)))
            (v128.or
              (v128.or
                (i8x16.eq (local.get $bytes) (v128.const i8x16 93 93 93 93 93 93 93 93 93 93 93 93 93 93 93 93))
                (i8x16.eq (local.get $bytes) (v128.const i8x16 0xef 0xef 0xef 0xef 0xef 0xef 0xef 0xef 0xef 0xef 0xef 0xef 0xef 0xef 0xef 0xef)))
              (v128.andnot
                (i8x16.lt_u (local.get $bytes) (v128.const i8x16 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32))
                (v128.or
                  (i8x16.eq (local.get $bytes) (v128.const i8x16 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9))
                  (i8x16.eq (local.get $bytes) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))))))
      (if (i32.eqz (local.get $mask))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $next)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $mask))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $byte) (i32.const 60))
        (then
          (global.set $text_flags (local.get $flags))
          (return (local.get $at))))
      (global.set $text_end (local.get $at))
      (block $passed
        (if (i32.eq (local.get $byte) (i32.const 13))
          (then
            (local.set $flags (i32.const 1))
            (br $passed)))
        (if (i32.eq (local.get $byte) (i32.const 38)) ;; &
          (then
            (local.set $byte (call $reference (i32.add (local.get $at) (i32.const 1))))
            (local.set $flags (i32.const 1))
            (local.set $at (i32.add (local.get $at) (local.get $byte)))
            (br_if $passed (local.get $byte))
            (return (i32.const 0))))
        (if (i32.eq (local.get $byte) (i32.const 93)) ;; ]
          (then (br_if $passed (i32.ne (i32.load8_u offset=1 (local.get $at)) (i32.const 93)))))
        (if (i32.eq (local.get $byte) (i32.const 0xef))
          (then (br_if $passed (i32.ne (i32.load8_u offset=1 (local.get $at)) (i32.const 0xbf)))))
        (return (i32.const 0)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next))
    (unreachable))

  ;; The length of the name of the predefined entity at `at`, with its semicolon; 0 if there is none.
  (func $reference (param $at i32) (result i32)
    (local $word i32)
    (local.set $word (i32.load (local.get $at)))
    (if (i32.eq (local.get $word) (i32.const 0x3b706d61)) (then (return (i32.const 4)))) ;; amp;
    (if (i32.eq (i32.and (local.get $word) (i32.const 0xffffff)) (i32.const 0x3b746c)) (then (return (i32.const 3)))) ;; lt;
    (if (i32.eq (i32.and (local.get $word) (i32.const 0xffffff)) (i32.const 0x3b7467)) (then (return (i32.const 3)))) ;; gt;
    (if (i32.eq (i32.load8_u offset=4 (local.get $at)) (i32.const 0x3b))
      (then
        (if (i32.eq (local.get $word) (i32.const 0x746f7571)) (then (return (i32.const 5)))) ;; quot
        (if (i32.eq (local.get $word) (i32.const 0x736f7061)) (then (return (i32.const 5)))))) ;; apos
    (i32.const 0))

  ;; The bytes from `at` up to the first >, 0 if they are more than `tag_bytes_max`.
  (func $tag_length (param $at i32) (result i32)
    (local $to i32) (local $mask i32)
    (local.set $to (local.get $at))
    (loop $next
      (local.set $mask (i8x16.bitmask (i8x16.eq (v128.load (local.get $to)) (v128.const i8x16 62 62 62 62 62 62 62 62 62 62 62 62 62 62 62 62))))
      (if (local.get $mask)
        (then
          (return (i32.add (i32.sub (i32.add (local.get $to) (i32.ctz (local.get $mask))) (local.get $at)) (i32.const 1)))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $next (i32.lt_u (i32.sub (local.get $to) (local.get $at)) (global.get $tag_bytes_max))))
    (i32.const 0))

  ;; Sixteen bytes of a tag; behind its end zeros. `left` is the length from `at` on.
  (func $block (param $at i32) (param $left i32) (result v128)
    (if (result v128) (i32.ge_u (local.get $left) (i32.const 16))
      (then (v128.load (local.get $at)))
      (else (v128.and (v128.load (local.get $at)) (v128.load (i32.sub (i32.const 80) (local.get $left)))))))

  ;; The address of the tag's record, or of the free one (without key) that it should have, with its hash.
  (func $find (param $at i32) (param $length i32) (result i32)
    (local $hash i64) (local $code i32) (local $slot i32) (local $tag i32) (local $to i32) (local $bytes v128)
    (local $multiplier i64)
    (local.set $multiplier (i64.load offset=40 (i32.const 0)))
    (loop $next
      (local.set $bytes (call $block (i32.add (local.get $at) (local.get $to)) (i32.sub (local.get $length) (local.get $to))))
      (local.set $hash
        (i64.mul
          (i64.xor
            (i64.rotl
              (i64.mul (i64.xor (local.get $hash) (i64x2.extract_lane 0 (local.get $bytes))) (local.get $multiplier))
              (i64.const 32))
            (i64x2.extract_lane 1 (local.get $bytes)))
          (local.get $multiplier)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $to) (local.get $length))))
    (local.set $code (i32.wrap_i64 (i64.shr_u (local.get $hash) (i64.const 32))))
    (local.set $slot (i32.shr_u (local.get $code) (i32.const 19)))
    (loop $probe
      (local.set $tag (i32.add (global.get $tags) (i32.shl (local.get $slot) (i32.const 4))))
      (if (i32.eqz (i32.load offset=4 (local.get $tag)))
        (then
          (i32.store (local.get $tag) (local.get $code))
          (return (local.get $tag))))
      (if (i32.and
            (i32.eq (i32.load (local.get $tag)) (local.get $code))
            (i32.eq (i32.load16_u offset=8 (local.get $tag)) (local.get $length)))
        (then
          (if (call $has_key (local.get $tag) (local.get $at) (local.get $length)) (then (return (local.get $tag))))))
      (local.set $slot (i32.and (i32.add (local.get $slot) (i32.const 1)) (global.get $tags_mask)))
      (br $probe))
    (unreachable))

  (func $has_key (param $tag i32) (param $at i32) (param $length i32) (result i32)
    (local $key i32) (local $to i32)
    (local.set $key (i32.load offset=4 (local.get $tag)))
    (loop $next
      (if (i32.eqz
            (i8x16.all_true
              (i8x16.eq
                (v128.load (i32.add (local.get $key) (local.get $to)))
                (call $block (i32.add (local.get $at) (local.get $to)) (i32.sub (local.get $length) (local.get $to))))))
        (then (return (i32.const 0))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $to) (local.get $length))))
    (i32.const 1))

  ;; The address of the record of a tag, which is a new one if it was not remembered.
  ;; Returns 0 if there is no room.
  (func (export "remember") (param $at i32) (param $length i32) (result i32)
    (local $tag i32) (local $key i32) (local $to i32)
    (local.set $tag (call $find (local.get $at) (local.get $length)))
    (if (i32.load offset=4 (local.get $tag)) (then (return (local.get $tag))))
    (local.set $key (i32.load offset=52 (i32.const 0)))
    (if (i32.or
          (i32.gt_u (local.get $key) (global.get $keys_full))
          (i32.ge_u (i32.load offset=48 (i32.const 0)) (global.get $tags_full)))
      (then (return (i32.const 0))))
    (loop $next
      (v128.store (i32.add (local.get $key) (local.get $to))
        (call $block (i32.add (local.get $at) (local.get $to)) (i32.sub (local.get $length) (local.get $to))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $to) (local.get $length))))
    (i32.store offset=48 (i32.const 0) (i32.add (i32.load offset=48 (i32.const 0)) (i32.const 1)))
    (i32.store offset=52 (i32.const 0) (i32.add (local.get $key) (local.get $to)))
    (i32.store offset=4 (local.get $tag) (local.get $key))
    (i32.store16 offset=8 (local.get $tag) (local.get $length))
    (local.get $tag)))
