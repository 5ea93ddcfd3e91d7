// The language of a file, by its name.
import type { Language } from './languages.ts';

const BY_ENDING: Readonly<Record<string, Language>> = {
	bash: 'shellscript',
	c: 'c',
	cjs: 'javascript',
	css: 'css',
	cts: 'typescript',
	go: 'go',
	h: 'c',
	htm: 'html',
	html: 'html',
	java: 'java',
	js: 'javascript',
	json: 'json',
	jsonc: 'json',
	jsx: 'tsx',
	kt: 'kotlin',
	md: 'markdown',
	mjs: 'javascript',
	mk: 'make',
	mts: 'typescript',
	py: 'python',
	rb: 'ruby',
	rs: 'rust',
	scss: 'scss',
	sh: 'shellscript',
	sql: 'sql',
	svg: 'xml',
	toml: 'toml',
	ts: 'typescript',
	tsx: 'tsx',
	xml: 'xml',
	yaml: 'yaml',
	yml: 'yaml',
	zsh: 'shellscript',
};

/** Undefined for a language that is shown plain. */
export function languageOf(path: string): Language | undefined {
	const name = path.slice(path.lastIndexOf('/') + 1);
	if (/^makefile$/i.test(name)) return 'make';
	const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
	return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
}
