/** As on SQLite. Base64 does not compress: it is stored as it is, outside of the row's page. */
export default `
CREATE TABLE small_blobs (
  key TEXT COLLATE "C" PRIMARY KEY,
  content TEXT COLLATE "C" NOT NULL
);
ALTER TABLE small_blobs ALTER COLUMN content SET STORAGE EXTERNAL;
`
