import { lineEndHyphen, lineEndWrap } from "./joinWords.ts"

const words = new RegExp(`[\\p{L}\\p{N}${lineEndHyphen}-]+`, "gu")

/** A shorter beginning is one of too many words, and a shorter end an ending, to be a word of its own. */
const beginningMin = 4
const endMin = 5

/** Before one of these endings, a shorter beginning may be a syllable. */
const endingBeginningMin = 3

/** Parts of words that stand behind a hyphen, or before one, of their own. */
const ends =
  /^(?:based|shaped|related|oriented|driven|specific|friendly|sized|term|level|scale|quality|income|style)$/
const beginnings = /^(?:self|quasi|well|zero|two|three|four|five|six|seven|eight|nine)$/
/** No part of a compound: what stands behind the hyphen ends a word, in English, German, French or Spanish. */
const endings =
  /^(?:ings?|e[dr]s?|(?:c|s|t|a|i|u)?(?:tion|sion)(?:s|al(?:ly)?|ed|ing)?|ation(?:s|al(?:ly)?)?|ati(?:ng|ve(?:ly)?)|ate[ds]?|(?:ti|i)?vely|m?ents?|mental(?:ly)?|(?:i|al|bil|abil|ibil)it(?:y|ies)|(?:i|ic|ti|tic|tion|men)?ally|(?:ing|less|ful|ous|ious|quent)ly|ibles?|lihood|tenance|[ae]nc(?:es?|ed|ing|y|ies)|ness(?:es)?|i[sz](?:ed?|es|ing|ations?)|[ieu]ous|istic|isms?|ologies|ology|graphy|ung(?:en)?|(?:ig)?keit(?:en)?|heit(?:en)?|schaft(?:en)?|lich(?:e[nrs]?)?|isch(?:e[nrs]?)?|ements?|ci[oó]n(?:es)?|mi?ento|mente)$/
/** The same, where the document has no such word. */
const wordsAsEndings = /^(?:ships?|hoods?|less|ables?|selves)$/
/** How long words end, of which neither part is a word of the document. */
const longEndings = /(?:[st]ions?|[ae]ncy|tive(?:ly)?|cians?|ments?|[ai]lly|ously|it(?:y|ies))$/
/** Words of which no hyphen parts what stands behind them. */
const solidBeginnings = /^(?:over|under)$/
/** English words of two words, each of which stands by itself, too. */
const solid =
  /^(?:(?:any|every|some)(?:thing|one|body|where|times?|how|what)|no(?:thing|body|where)|with(?:in|out)|elsewhere|whatever|however|whoever|where(?:as|by)|wherever|there(?:fore|by|after)|(?:bench|trade|book)marks?|back(?:grounds?|ups?)|feedback)$/
/** Behind these a word goes on that lacks its end before them. */
const conjunctions = /^(?:and|or|und|oder|bzw)$/
/** Words in the middle of compounds. */
const links = /^(?:of|the|to|and|or|in|on|by|at|for|up|per)$/

/**
 * In a text whose lines may end within words, one does after fewer characters than this; compound words that happen to
 * stand at the end of a line are much rarer. With some of them, one would be known without its hyphen.
 */
const charactersPerSetHyphenMax = 2_500
const charactersPerSomeMax = 1_200
const someMin = 4

/**
 * Decides whether the hyphen at the end of a line is a part of the word, as in "chat-optimized", or was set because
 * the line ends. What the document says elsewhere decides: the word with its hyphen, or without, or its parts as
 * words of their own, but for endings, and common words that are made of two. Where nothing is said, it was set for the
 * line, but behind a number, a single letter or capitals, and in a document whose other words of this kind have theirs
 * elsewhere, too.
 */
export class Hyphens {
  /** Whether more lines of Korean are known to end within a word than between two. */
  readonly #wrapsWithin: boolean
  /** Whether words that are known, or the length of the text, show that no hyphen was set because a line ends. */
  readonly #setsNone: boolean
  /** The words that have to be known, and whether they are there. */
  readonly #found = new Map<string, boolean>()

  /** @param texts of the whole document, with a `lineEndHyphen` in each word that is in question */
  constructor(texts: () => Iterable<string>) {
    for (const text of texts()) {
      for (const { first, second } of wrapsOf(text)) {
        for (const wanted of [first, second, first + second]) {
          this.#found.set(wanted, false)
          if (latin.test(first)) this.#found.set(wanted.toLowerCase(), false)
        }
      }
      if (!text.includes(lineEndHyphen)) continue
      for (const [word] of text.matchAll(words)) {
        for (const { first, second, name } of partsOf(word)) {
          for (const wanted of [first, second, first + second, `${first}-${second}`])
            this.#found.set(wanted, false)
          if (name !== undefined) this.#found.set(name, false)
        }
      }
    }
    this.#wrapsWithin = false
    this.#setsNone = false
    if (this.#found.size === 0) return
    for (const text of texts()) {
      const cut = text.includes(lineEndWrap)
        ? text.replace(lettersAndWraps, (run) => (run.includes(lineEndWrap) ? " " : run))
        : text
      for (const [word] of cut.matchAll(words))
        if (!word.includes(lineEndHyphen)) {
          this.#see(word.toLowerCase())
          if (this.#found.has(word)) this.#found.set(word, true)
        }
    }
    let within = 0
    let [own, set] = [0, 0]
    let [characters, hyphens] = [0, 0]
    for (const text of texts()) {
      characters += text.length
      for (const [word] of text.includes(lineEndHyphen) ? text.matchAll(words) : []) {
        for (const { first, second, name } of partsOf(word)) {
          if (name !== undefined) continue
          hyphens++
          if (this.#found.get(first + second) === true) set++
          else if (this.#found.get(`${first}-${second}`) === true) own++
        }
      }
      for (const parts of wrapsOf(text)) {
        const isWithin = latin.test(parts.first) ? undefined : this.#isWithin(parts)
        if (isWithin !== undefined) within += isWithin ? 1 : -1
      }
    }
    this.#wrapsWithin = within > 0
    const perHyphen = hyphens < someMin ? charactersPerSetHyphenMax : charactersPerSomeMax
    this.#setsNone = set === 0 && (own > 0 || characters > hyphens * perHyphen)
  }

  /** The text with its words put together. */
  resolved(text: string): string {
    const joined = text.includes(lineEndWrap) ? this.#joinWraps(text) : text
    if (!joined.includes(lineEndHyphen)) return joined
    return joined.replace(words, (word, offset: number) => {
      const parts = partsOf(word)
      const isAddress = isInAddress(joined, offset, offset + word.length)
      let index = 0
      return word.replaceAll(lineEndHyphen, () => {
        const part = parts[index++]
        if (!isAddress && this.#isSuspended(part)) return "- "
        return isAddress || this.#isPart(part) ? "-" : ""
      })
    })
  }

  #joinWraps(text: string): string {
    const wraps = wrapsOf(text)
    let index = 0
    return text.replaceAll(lineEndWrap, () => {
      const parts = wraps[index++]
      if (parts !== undefined && latin.test(parts.first)) return this.#isCut(parts) ? "" : " "
      return parts !== undefined && (this.#isWithin(parts) ?? this.#wrapsWithin) ? "" : " "
    })
  }

  /** Whether a line ends within a word, undefined if the document does not say. */
  #isWithin({ first, second }: Parts): boolean | undefined {
    const isWord = (word: string): boolean => this.#found.get(word) === true
    if (isWord(first + second)) return true
    if (isWord(first) && isWord(second)) return false
    if (isWord(first) && ending.test(second)) return true
    return particle.test(first) ? false : undefined
  }

  /**
   * The end of a line in a cell cut a word, of which the document does not have the part before the end elsewhere: it has
   * the whole word, or it is cut within an ending.
   */
  #isCut({ first, second }: Parts): boolean {
    const [begin, end] = [first.toLowerCase(), second.toLowerCase()]
    if (this.#found.get(begin) === true) return false
    return this.#found.get(begin + end) === true || (begin.length >= endMin && isCutEnding(begin, end))
  }

  #see(word: string): void {
    if (this.#found.has(word)) this.#found.set(word, true)
    if (word.includes("-")) for (const part of word.split("-")) this.#see(part)
  }

  /** The end of a word is left out that the next one has, too, as in "two- and three-digit". */
  #isSuspended(parts: Parts | undefined): boolean {
    if (parts === undefined) return false
    const { first, second } = parts
    if (!conjunctions.test(second) || parts.goesOn) return false
    return this.#found.get(first + second) !== true && this.#found.get(`${first}-${second}`) !== true
  }

  #isPart(parts: Parts | undefined): boolean {
    if (parts === undefined) return false
    const { first, second } = parts
    const isWord = (word: string): boolean => this.#found.get(word) === true
    // The word without its hyphen may be another one, as in German.
    if (parts.name !== undefined) return !isWord(parts.name)
    if (isWord(first + second)) return false
    if (isWord(`${first}-${second}`) || /\d/.test(first) || conjunctions.test(second)) return true
    if (isOneWord(parts) || (wordsAsEndings.test(second) && !isWord(second))) return false
    const isCut = longEndings.test(second) && !isWord(first) && !isWord(second)
    if ((this.#setsNone && !isCut) || parts.isCapital || first.length === 1) return true
    if (parts.isCompound && (links.test(first) || (isWord(first) && isWord(second)))) return true
    if (beginnings.test(first) || (first.length >= endingBeginningMin && ends.test(second))) return true
    return first.length >= beginningMin && isWord(first) && (second.length >= endMin || isWord(second))
  }
}

const restOfEnding = /^(?:i?ons?|e?nts?|ess|ngs?|nces?|bles?|i?ty|ties|a?lly|ly)$/
const cutEnding = /(?:[st]ions?|ments?|[ai]ents?|ness|ings?|[ae]nces?|[ai]bles?|it(?:y|ies)|ally)$/

const isCutEnding = (begin: string, end: string): boolean => {
  const at = restOfEnding.test(end) ? (cutEnding.exec(begin + end)?.index ?? begin.length) : begin.length
  return at < begin.length
}

/** Whatever the document says: it ends as words do, or is a common one. */
const isOneWord = ({ first, second, isCapital, goesOn }: Parts): boolean =>
  isCapital !== true &&
  first.length > 1 &&
  (endings.test(second) ||
    solid.test(first + second) ||
    (goesOn !== true && second.length >= endMin && solidBeginnings.test(first)))

/**
 * An address stands on without a space at the sides of the word, as in "https://" and ".org/": its hyphens are its own. A
 * number behind a full stop is that of a note.
 */
const isInAddress = (text: string, from: number, to: number): boolean =>
  /[/@.]$/.test(text.slice(Math.max(0, from - 1), from)) ||
  /^(?:[/@][\p{L}\p{N}]|\.\p{L})/u.test(text.slice(to, to + 2))

/** What stands on both sides of a hyphen, in lower case but for a name. */
interface Parts {
  readonly first: string
  readonly second: string
  /** The first is written in capitals, as an abbreviation is. */
  readonly isCapital?: boolean
  /** Both as they are written, where the second begins with a capital, as the name of a program may within. */
  readonly name?: string | undefined
  /** Another hyphen stands before the first, as in "out-of-network". */
  readonly isCompound?: boolean
  /** Another hyphen stands behind the second, as in "back-and-forth". */
  readonly goesOn?: boolean
}

/** Words, with those on both sides of the end of a line of Korean as one, so that no letter is looked at twice. */
const lettersAndWraps = new RegExp(`[\\p{L}\\p{N}${lineEndWrap}]+`, "gu")

/** What stands on both sides of the ends of lines of Korean, and of those that fill their cell. */
const wrapsOf = (text: string): ReadonlyArray<Parts> => {
  if (!text.includes(lineEndWrap)) return []
  const pieces = text.split(lineEndWrap)
  return pieces.slice(1).map((piece, index) => ({
    first: /[\p{L}\p{N}]*$/u.exec((pieces[index] ?? "").slice(-wordCharactersMax))?.[0] ?? "",
    second: /^[\p{L}\p{N}]*/u.exec(piece.slice(0, wordCharactersMax))?.[0] ?? "",
  }))
}

const latin = /\p{Script=Latin}$/u
const wordCharactersMax = 40
/** What Korean nouns and verbs end with, and no word begins with. */
const ending =
  /^(?:[은는이가을를에의로와과도만]|에서|에게|부터|까지|이나|이며|이고|다고|라고|이라고?|라는|이라는|에는|에도|으로서?|로서|으로써|이다|입니다|습니다|니다|한다|된다|하다|되다|하[는여고며]|되[는어고며]|들[은이을의]?)$/
/** Behind these endings of a longer word, another one begins. */
const particle = /.[가-힣](?:[을를는]|에서|에게|으로|부터|까지|지만)$/

const partsOf = (word: string): ReadonlyArray<Parts> => {
  const pieces = word.split(lineEndHyphen)
  return pieces.slice(1).map((piece, index) => {
    const first = pieces[index]?.split("-").at(-1) ?? ""
    return {
      first: first.toLowerCase(),
      second: (piece.split("-")[0] ?? "").toLowerCase(),
      name: /^\p{Lu}/u.test(piece) ? first + (piece.split("-")[0] ?? "") : undefined,
      isCapital: /^\p{Lu}{2,}$/u.test(first),
      isCompound: pieces[index]?.includes("-") === true,
      goesOn: piece.includes("-") || index < pieces.length - 2,
    }
  })
}
