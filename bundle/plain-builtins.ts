// Loads Node's modules without their ES facades: creating one reads every export, and reading those of `process` opens stdin.
import { isBuiltin } from 'node:module';

const IMPORT = /^import (?:(?<main>[\w$]+)(?:, )?)?(?:\* as (?<all>[\w$]+)|\{ (?<names>.+) \})? from "(?<module>.+)";$/;

/** Large modules that only older packages require, for servers and clients that Roost does not use. */
const LATER = /\b__require\("((?:node:)?(?:https|http2|tls))"\)/g;

/** Expects the imports at the top of the bundle, one a line. The number of lines does not change. */
export function withPlainBuiltins(code: string): string {
	const lines = code.replaceAll(LATER, (_, module: string) => toLater(module)).split('\n');
	const end = lines.findIndex((line) => !/^(?:import |\/\/)/.test(line));
	return [...lines.slice(0, end).map(toPlainImport), ...lines.slice(end)].join('\n');
}

function toPlainImport(line: string): string {
	const { main, all, names, module = '' } = IMPORT.exec(line)?.groups ?? {};
	if (!isBuiltin(module)) return line;
	const bound = [main, all, names && `{ ${names.replaceAll(' as ', ': ')} }`].filter((each) => each !== undefined);
	return `const ${bound.map((each) => `${each} = globalThis.process.getBuiltinModule("${module}")`).join(', ')};`;
}

function toLater(module: string): string {
	return `new Proxy({}, { get: (_, name) => globalThis.process.getBuiltinModule("${module}")[name] })`;
}
