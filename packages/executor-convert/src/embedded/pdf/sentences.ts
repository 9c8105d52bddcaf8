/** A sentence is over, with the brackets and quotation marks that close behind it. */
export const sentenceEnd = /[.!?:;…。！？][\p{Pe}\p{Pf}"']*$/u
