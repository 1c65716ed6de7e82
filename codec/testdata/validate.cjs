// Reads a GLB from standard input and prints what the Khronos validator, whose module is named, has against
// it. Errors and warnings make it fail.
const validator = require(process.argv[2]);
const bytes = new Uint8Array(require('fs').readFileSync(0));
validator.validateBytes(bytes, {maxIssues: 20}).then((report) => {
  const {numErrors, numWarnings, messages} = report.issues;
  if (numErrors + numWarnings > 0) {
    console.log(JSON.stringify(messages, null, 1));
    process.exit(1);
  }
}, (err) => {
  console.log(String(err));
  process.exit(1);
});
