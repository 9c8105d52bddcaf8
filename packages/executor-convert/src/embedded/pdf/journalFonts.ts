/**
 * Fonts of signs that the typesetting systems of journals name by numbers, the same in all of their documents: a file
 * says of a sign which letter has its place in the font. What is written, and what is seen for it, in the same order.
 */
const fonts: ReadonlyArray<readonly [names: string, written: string, seen: string]> = [
  ["AdvP3F4C13 AdvPS3F4C13 AdvP3EAA99", "mDabvqpldUchsVntgrek", "μΔαβωθπλδΩχησ∇ντγρεκ"],
  ["AdvPS4721B4", "rsdb4ulhqnagUmf", "ρσδβφωληθναγΩμφ"],
  ["AdvPSMP10 AdvPSMP13", "abcdefghijklmnopqrstuvwx", "αβγδεζηθικλμνξοπρστυφχψω"],
  ["AdvPSMP10 AdvPSMP13", "ABCDEFGHIJKLMNOPQRSTUVWX", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"],
  ["AdvPSMP10", "/", "φ"],
  ["AdvPSMP4", "\\[P", "<>≥"],
  ["AdvPS44A44B", "edCDGK$]", "–—++±−·="],
  ["AdvPS3FDD77", "wzZ", "∼≈="],
  ["AdvPS4731B1", "!ON", "<>∞"],
  ["AdvP7DA6 AdvPS7DA6 AdvP80675", "123568,.#$9", "+−×=±°<>≤≥′"],
  ["AdvP7DB7", ",", "∼"],
  ["AdvPi1", "8475*+6&.mDsadgFblptk", "°>−<∼±×≈•μΔσαδγΦβλπτκ"],
  ["AdvPi2", "sfralmtZnpdygxbzFDk%?", "σφραλμτηνπδθγξβζΦΔκ‰→"],
  ["AdvPi3", "#", "©"],
  ["AdvPS586D", "wqe", "®©™"],
  ["AdvTT454a7a89", "bN4d", "<>∗·"],
  ["AdvTTab7e17fd AdvTTcd7bcd39", "masrbqdftpehwnck", "μασρβθδφτπεηωνχκ"],
  ["AdvTTcd7bcd39 AdvTTb19eb3c6 AdvTT52b432ec", "D", "Δ"],
  ["AdvTT432ab7ab", "VADjW", "′μησ″"],
  ["AdvTT32a07b98", "Ff", "±∼"],
  ["AdvTT1143c7e7", "QbTd", "”“’‘"],
  ["AdvTT3f84ef53", "´", "×"],
  ["AdvTTa420abf6", "D", "©"],
  ["AdvTir_symb", "9?CB-", "×+≥≤−"],
  ["AdvP0004", "B0I", "“=·"],
  ["AdvP0005", "^", "”"],
  ["AdvP44E6F4", "u", "°"],
  ["AdvPS48994E", "^", "±"],
  ["AdvP80516", "V", "©"],
  ["AdvEls-ent3", "r", "©"],
  ["AdvEls-ent4", "orp", "<≤≤"],
  ["AdvEls-ent5", "1Z", "°≥"],
  ["AdvEls-ent7", "BE", "∼≈"],
  ["AdvEls-ent8", "7", "±"],
  ["AdvCORRESAST", "⇑", "*"],
  ["MathTechnicalP01", "~1`^kK", "<>>≤≫≪"],
  ["MathTechnicalP03", "cpFBP;", "+=∼±−≈"],
  ["MathTechnicalP04", "!", "×"],
  ["MathTechnicalP07", "7", "·"],
  ["ScienceTypeCustomPi-No3T", '-)"=;X(', "<>±×∼′≤"],
  ["ScienceTypeCustomPi-No4T", ")4<", "∗≫≪"],
  ["ScienceTypeCustomPi-No5T", "rqsyxwFGf", "/+=−][≤≥≈"],
]

/** What the signs of each of these fonts show, by what a file says. */
export const signsOfJournalFonts: ReadonlyMap<string, ReadonlyMap<number, string>> = (() => {
  const found = new Map<string, Map<number, string>>()
  for (const [names, written, seen] of fonts) {
    const shown = [...seen]
    for (const name of names.split(" ")) {
      const signs = found.get(name) ?? new Map<number, string>()
      for (const [at, each] of [...written].entries()) signs.set(each.codePointAt(0) ?? 0, shown[at] ?? each)
      found.set(name, signs)
    }
  }
  return found
})()

/**
 * The DC fonts of Scientific WorkPlace, in which papers of economics are set: their codes are those of Windows but for
 * ligatures, and are read as those of the Macintosh.
 */
export const signsOfDcFonts: ReadonlyMap<number, string> = (() => {
  const ligatures: ReadonlyMap<number, string> = new Map([
    [0x85, "\ufb01"],
    [0x87, "\ufb02"],
    [0xa2, "\ufb03"],
    [0xa4, "\ufb00"],
  ])
  const macintosh = new TextDecoder("macintosh")
  const windows = new TextDecoder("windows-1252")
  const signs = new Map<number, string>()
  for (let code = 0x80; code <= 0xff; code++) {
    const bytes = Uint8Array.of(code)
    const read = macintosh.decode(bytes).codePointAt(0) ?? code
    signs.set(read, ligatures.get(code) ?? windows.decode(bytes))
  }
  return signs
})()
