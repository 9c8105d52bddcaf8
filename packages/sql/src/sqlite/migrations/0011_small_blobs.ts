/**
 * Small documents and results, under the keys that they would have as blobs. As Base64, so that a row is the same on
 * both databases and is carried from one to the other as any text is.
 */
export default `
CREATE TABLE small_blobs (
  key TEXT PRIMARY KEY,
  content TEXT NOT NULL
) STRICT;
`
