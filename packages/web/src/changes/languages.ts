// The language of a file by its name, and its grammar, which is loaded when it is needed.

const GRAMMARS = {
	c: () => import('@shikijs/langs/c'),
	css: () => import('@shikijs/langs/css'),
	go: () => import('@shikijs/langs/go'),
	html: () => import('@shikijs/langs/html'),
	java: () => import('@shikijs/langs/java'),
	javascript: () => import('@shikijs/langs/javascript'),
	json: () => import('@shikijs/langs/json'),
	kotlin: () => import('@shikijs/langs/kotlin'),
	make: () => import('@shikijs/langs/make'),
	markdown: () => import('@shikijs/langs/markdown'),
	python: () => import('@shikijs/langs/python'),
	ruby: () => import('@shikijs/langs/ruby'),
	rust: () => import('@shikijs/langs/rust'),
	scss: () => import('@shikijs/langs/scss'),
	shellscript: () => import('@shikijs/langs/shellscript'),
	sql: () => import('@shikijs/langs/sql'),
	toml: () => import('@shikijs/langs/toml'),
	tsx: () => import('@shikijs/langs/tsx'),
	typescript: () => import('@shikijs/langs/typescript'),
	xml: () => import('@shikijs/langs/xml'),
	yaml: () => import('@shikijs/langs/yaml'),
} as const;

export type Language = keyof typeof GRAMMARS;

export function grammarOf(language: Language) {
	return GRAMMARS[language]();
}
