// Strings that are known to break programs, for every field that takes a string. None of them may have an effect.

export type HostileString = { readonly name: string; readonly text: string };

/** `canary` is the path of a file that must never exist: running, sourcing or expanding one of these creates it. */
export function hostileStrings(canary: string): HostileString[] {
	const touch = `touch ${canary}`;
	return Object.entries({
		...shell(touch, canary),
		...options(touch, canary),
		...paths(canary),
		...display(),
		...queries(),
		...objects(),
		...sizes(),
	}).map(([name, text]) => ({ name, text }));
}

function shell(touch: string, canary: string): Record<string, string> {
	return {
		substitution: `$(${touch})`,
		backticks: `\`${touch}\``,
		semicolon: `; ${touch}`,
		and: `x && ${touch}`,
		or: `x || ${touch}`,
		pipe: `x | ${touch}`,
		background: `x & ${touch} &`,
		newline: `x\n${touch}\n`,
		'carriage return': `x\r\n${touch}\r\n`,
		redirection: `x > ${canary}`,
		'process substitution': `<(${touch})`,
		'closed single quote': `'; ${touch}; '`,
		'closed double quote': `"; ${touch}; "`,
		'closed subshell': `) ; ${touch} ; (`,
		'here document': `<<E\n$(${touch})\nE`,
		'field separator': `x\${IFS};\${IFS}touch\${IFS}${canary}`,
		'ansi quoting': `$'\\x24(${touch})'`,
		'brace words': `{touch,${canary}}`,
		'arithmetic expansion': `$((x[$(${touch})]))`,
		'variable default': `\${x:-$(${touch})}`,
		'environment assignment': `BASH_ENV=${canary} LD_PRELOAD=x.so`,
		'function import': `() { :; }; ${touch}`,
		'node expression': `require('fs').writeFileSync('${canary}','')`,
		'template literal': `\${process.mainModule.require('child_process').execSync('${touch}')}`,
		'python format': `{0.__class__.__mro__}`,
	};
}

function options(touch: string, canary: string): Record<string, string> {
	return {
		'output option': `--output=${canary}`,
		'upload pack': `--upload-pack=${touch}`,
		'ssh proxy': `-oProxyCommand=${touch}`,
		'git configuration': `-ccore.fsmonitor=${touch}`,
		'git external transport': `ext::sh -c '${touch}'`,
		'git hooks path': `--config=core.hooksPath=${canary}`,
		'git reference': 'refs/heads/../../x.lock',
		'node option': `--eval=require('fs').writeFileSync('${canary}','')`,
		'end of options': '--',
		'single dash': '-',
		help: '--help',
	};
}

function paths(canary: string): Record<string, string> {
	return {
		traversal: '../../../../../../../../etc/passwd',
		'encoded traversal': '..%2f..%2f..%2f..%2fetc%2fpasswd',
		'doubly encoded traversal': '%252e%252e%252fetc',
		'windows traversal': '..\\..\\..\\windows\\win.ini',
		'absolute path': '/etc/passwd',
		'endless device': '/dev/zero',
		'own descriptor': '/proc/self/environ',
		'cut by nul': `x\0${canary}`,
		tilde: '~root/.ssh/id_rsa',
		'file address': 'file:///etc/passwd',
		glob: '/**/*{,/..}/[!x]?(y)+(z)',
		'deep glob': `${'*'.repeat(64)}${'(a|'.repeat(32)}`,
		'backtracking bait': `${'a'.repeat(40)}!`,
		dot: '.',
		'two dots': '..',
		'question mark and hash': '?a=b&c[]=d#e',
	};
}

function display(): Record<string, string> {
	return {
		'clear screen': '\x1b[2J\x1b[1;1H',
		'window title': '\x1b]0;owned\x07',
		clipboard: '\x1b]52;c;b3duZWQ=\x1b\\',
		hyperlink: '\x1b]8;;javascript:alert(1)\x1b\\x\x1b]8;;\x1b\\',
		'device query': '\x1b[6n\x1b[c',
		'eight-bit controls': '\x9b2J\x9d0;owned\x9c',
		overwrite: 'rm -rf /\rls      ',
		backspaces: 'rm\b\bls',
		'right to left': 'a\u202egpj.exe\u202c',
		isolates: '\u2066x\u2069\u2067y\u2069',
		'zero width': 'al\u200blow\u200c\u200d\ufeff',
		tags: `x${String.fromCodePoint(0xe0001, 0xe0041, 0xe0042, 0xe007f)}`,
		'line separator': 'a\u2028b\u2029c',
		'soft hyphen': 'de\u00adny',
		'combining pile': `z${'\u0335'.repeat(200)}`,
		'lone high surrogate': 'x\ud800y',
		'lone low surrogate': 'x\udc00y',
		'not a character': '\uffff\ufffe',
		markup: '<script>fetch("/api/v1/rules")</script><img src=x onerror=alert(1)>',
	};
}

function queries(): Record<string, string> {
	return {
		'sql quote': `'; DROP TABLE events; --`,
		'sql union': `" UNION SELECT sql FROM sqlite_master --`,
		'sql wildcards': '%_\\%',
		'search operators': 'NEAR("a" "b", 2) AND NOT ^c*',
		'search column': 'title : "x" OR {a b} : c',
		'search quotes': '"" """ "unbalanced',
		'log line': 'x\n2026-01-01T00:00:00Z level=info msg="all is well"',
		'header injection': 'x\r\nset-cookie: roost=1\r\n\r\n',
		'yaml tag': '!!js/function "x"',
		'csv formula': '=HYPERLINK("http://127.0.0.1:1")',
	};
}

function objects(): Record<string, string> {
	return {
		prototype: '__proto__',
		constructor: 'constructor',
		'own property': 'hasOwnProperty',
		'polluting json': '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
		'json bomb': '['.repeat(20_000),
		'closed json': '"}],"x":[{"',
		'number like': '1e309',
		'not a number': 'NaN',
		'null word': 'null',
		'looks like an id': 'k3f9.1',
	};
}

function sizes(): Record<string, string> {
	return {
		empty: '',
		space: ' ',
		'64 KiB': 'A'.repeat(64 * 1024),
		'64 KiB of characters that grow': '\u202e'.repeat(16 * 1024),
	};
}
