import { describe, expect, it } from 'vitest';
import { withPlainBuiltins } from './plain-builtins.ts';

const builtin = (name: string) => `globalThis.process.getBuiltinModule("${name}")`;

describe('the builtin modules of a bundle', () => {
	it.each([
		['import { a, b as c } from "node:fs";', `const { a, b: c } = ${builtin('node:fs')};`],
		['import fs from "fs";', `const fs = ${builtin('fs')};`],
		['import * as path from "node:path";', `const path = ${builtin('node:path')};`],
		['import fs, { a } from "node:fs";', `const fs = ${builtin('node:fs')}, { a } = ${builtin('node:fs')};`],
		['import fs, * as all from "node:fs";', `const fs = ${builtin('node:fs')}, all = ${builtin('node:fs')};`],
		['import { a } from "./chunk.js";', 'import { a } from "./chunk.js";'],
		['import pty from "@lydell/node-pty";', 'import pty from "@lydell/node-pty";'],
	])('are loaded without their ES facade: %s', (written, plain) => {
		expect(withPlainBuiltins(`// first\n${written}\ncode();`)).toBe(`// first\n${plain}\ncode();`);
	});

	it('are loaded on first use if they are large and rarely needed', () => {
		const later = `new Proxy({}, { get: (_, name) => ${builtin('tls')}[name] })`;
		expect(withPlainBuiltins('const tls = __require("tls"), fs = __require("fs");')).toBe(
			`const tls = ${later}, fs = __require("fs");`,
		);
	});

	it('are not changed inside a string', () => {
		const code = 'const text = `\nimport fs from "node:fs";\n`;';
		expect(withPlainBuiltins(code)).toBe(code);
	});
});
