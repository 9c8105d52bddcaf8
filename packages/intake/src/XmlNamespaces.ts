import { noNamespace, type XmlVocabulary, xmlNamespace } from "./XmlVocabulary.ts"

const xmlnsNamespace = "http://www.w3.org/2000/xmlns/"
const unknownNamespace = -1

/** A namespace that at least one declaration in force has. */
interface Namespace {
  readonly uri: string
  /** The vocabulary's number, -1 if it is not in it. */
  readonly number: number
  /** Declarations in force. */
  uses: number
}

interface Declaration {
  readonly depth: number
  /** Never the same for two declarations of a document. */
  readonly scope: number
  readonly prefix: string
  readonly namespace: Namespace
  /** The declaration of the same prefix that it hides. */
  readonly hidden: Declaration | undefined
}

/** Which namespaces the prefixes mean where the reader is. */
export class XmlNamespaces {
  readonly #vocabulary: XmlVocabulary
  readonly #declarations: Array<Declaration> = []
  readonly #byPrefix = new Map<string, Declaration>()
  readonly #byUri = new Map<string, Namespace>()
  #lastScope = 0
  /**
   * Stands for all declarations in force: each new one makes a number that never was, and its end brings the
   * one before back. What was found out about a name holds wherever this is the same.
   */
  scope = 0
  /** Depth of the innermost element with declarations. */
  declaredDepth = 0

  constructor(vocabulary: XmlVocabulary) {
    this.#vocabulary = vocabulary
    this.#add("xml", xmlNamespace, 0)
  }

  /** What is wrong with the declaration, or undefined. The default namespace has the prefix "". */
  declare(prefix: string, uri: string, depth: number): string | undefined {
    if (prefix === "xml" && uri === xmlNamespace) return undefined
    if (prefix === "xml" || prefix === "xmlns") return `the prefix ${prefix} cannot be declared`
    if (uri === xmlNamespace || uri === xmlnsNamespace) return "a reserved namespace is declared"
    if (prefix !== "" && uri === "") return "a prefix is declared without a namespace"
    this.#add(prefix, uri, depth)
    return undefined
  }

  /** Ends the declarations of the element at `declaredDepth`. */
  leave(): void {
    let last = this.#declarations.at(-1)
    for (const depth = this.declaredDepth; last !== undefined && last.depth === depth; ) {
      this.#remove(last)
      this.#declarations.pop()
      last = this.#declarations.at(-1)
    }
    this.declaredDepth = last?.depth ?? 0
    this.scope = last?.scope ?? 0
  }

  /**
   * The vocabulary's number of the prefix's namespace, -1 if it has it not; undefined if the prefix is not
   * declared.
   */
  number(prefix: string): number | undefined {
    return this.#byPrefix.get(prefix)?.namespace.number ?? (prefix === "" ? noNamespace : undefined)
  }

  /** The same for prefixes that mean the same namespace. */
  identity(prefix: string): object | undefined {
    return this.#byPrefix.get(prefix)?.namespace
  }

  /** Whether two prefixes in force may mean the same namespace. */
  hasAliases(): boolean {
    return this.#declarations.length > this.#byUri.size
  }

  #add(prefix: string, uri: string, depth: number): void {
    const namespace = this.#byUri.get(uri) ?? { uri, number: this.#number(uri), uses: 0 }
    namespace.uses++
    this.#byUri.set(uri, namespace)
    const scope = ++this.#lastScope
    const declaration = { depth, scope, prefix, namespace, hidden: this.#byPrefix.get(prefix) }
    this.#declarations.push(declaration)
    this.#byPrefix.set(prefix, declaration)
    this.declaredDepth = depth
    this.scope = scope
  }

  #number(uri: string): number {
    return uri === "" ? noNamespace : (this.#vocabulary.namespace(uri) ?? unknownNamespace)
  }

  #remove({ prefix, namespace, hidden }: Declaration): void {
    if (--namespace.uses === 0) this.#byUri.delete(namespace.uri)
    if (hidden === undefined) this.#byPrefix.delete(prefix)
    else this.#byPrefix.set(prefix, hidden)
  }
}
