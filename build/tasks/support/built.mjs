/**
 * Loads what was built, with the code that V8 made of it before. Node's own cache keeps of a file what is compiled
 * when it is loaded, and hardly a function is then; here each command keeps all that it used.
 */
import { createRequire } from 'node:module';

const { createHash } = process.getBuiltinModule('node:crypto');
const fs = process.getBuiltinModule('node:fs');
const { basename, dirname, join } = process.getBuiltinModule('node:path');
const { constants, Script } = process.getBuiltinModule('node:vm');

const HEAD = Buffer.from('(function (exports, require, module, __filename, __dirname) {');
const TAIL = Buffer.from('\n})');
const HASH = 32;
/** Exit code of a command that was not understood. */
const USAGE = 2;

/**
 * Runs the CommonJS file `entry` and what it requires. What V8 made of them lies in `compiled`, whose owner alone can
 * write there: V8 believes it.
 */
export function runBuilt(entry, compiled) {
  const folder = join(compiled, `${process.versions.v8}-${process.arch}`, command());
  const outside = createRequire(entry);
  const modules = new Map();
  const fresh = [];

  function load(file) {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const here = dirname(file);
    const required = (name) => (name.startsWith('.') ? load(join(here, name)) : outside(name));
    try {
      compile(file).runInThisContext()(module.exports, required, module, file, here);
    } catch (error) {
      // Half a module is none: who needs it later loads it anew, or meets the same error.
      modules.delete(file);
      throw error;
    }
    return module.exports;
  }

  function compile(file) {
    const kept = join(folder, `${basename(file)}.bin`);
    const code = fs.readFileSync(file);
    const cachedData = madeOf(code, kept);
    const script = new Script(Buffer.concat([HEAD, code, TAIL]).toString(), {
      filename: file,
      columnOffset: -HEAD.length,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected === true) fresh.push({ kept, code, script });
    return script;
  }

  process.once('exit', (code) => {
    // Nothing was done, and there may be no such command.
    if (code !== USAGE)
      for (const { kept, code, script } of fresh) keep(kept, code, script.createCachedData());
  });
  load(entry);
}

/** What is used differs from command to command. */
function command() {
  const [, , first = ''] = process.argv;
  return /^[a-z][a-z-]{0,30}$/.test(first) ? first : 'none';
}

/** Undefined where it is not what was kept for this code: V8 runs whatever it is given, up to a crash with every start. */
function madeOf(code, file) {
  try {
    const kept = fs.readFileSync(file);
    const data = kept.subarray(HASH);
    return kept.subarray(0, HASH).equals(hashOf(code, data)) ? data : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(code, data) {
  return createHash('sha256').update(code).update(data).digest();
}

/** Where it cannot be kept, a start takes longer. */
function keep(file, code, data) {
  const half = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(half, Buffer.concat([hashOf(code, data), data]), { mode: 0o600 });
    fs.renameSync(half, file);
  } catch {
    fs.rmSync(half, { force: true });
  }
}
