/**
 * How a parsing process and its parent talk. The parent sends the length of a job's head in four bytes, the
 * head as JSON, and the bytes that are read. The process sends frames: a kind, a length in four bytes, and so
 * many bytes. Neither side needs anything of the other but two open descriptors.
 */
export const jobDescriptor = 3
export const replyDescriptor = 4

/** A frame of this kind is a `ParsingReply` as JSON; any lower one is bytes for the file of that number. */
export const replyFrame = 255
export const frameHeadBytes = 5

/** Longest JSON that a job may return: only small messages cross to the parent. */
export const replyCharactersMax = 64 * 1024
