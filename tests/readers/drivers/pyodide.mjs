// Reads mail with the `email` of the Python that is in pyodide (npm): python-email.py beside this file runs there as it is.
import { readFileSync, readSync, writeSync } from "node:fs";
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
python.FS.mkdir("/drivers");
for (const name of ["protocol.py", "python-email.py"]) {
  python.FS.writeFile(`/drivers/${name}`, readFileSync(new URL(name, import.meta.url)));
}
python.setStdin({ read: (buffer) => readSync(0, buffer) });
python.setStdout({ write: (buffer) => writeSync(1, buffer) });
python.runPython('import runpy, sys; sys.path.append("/drivers"); runpy.run_path("/drivers/python-email.py")');
