/** Packages with processes and native parts of their own stay outside of the bundle. */
export default {
  output: "standalone",
  serverExternalPackages: ["@atelier/node"],
  // Files that are read by name at run time; a line whose package is not installed does nothing.
  outputFileTracingIncludes: {
    "/**": [
      // The fonts of pictures that are drawn without a vendor.
      "node_modules/@expo-google-fonts/{manrope,instrument-serif}/**/*.ttf",
      // What reads PDFs.
      "node_modules/@hyzyla/pdfium/**",
      // What recognises text in scans, and what it knows of languages.
      "node_modules/tesseract.js-core/**",
      "node_modules/@tesseract.js-data/**",
    ],
  },
}
