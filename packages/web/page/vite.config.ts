import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import roost from '../../../package.json' with { type: 'json' };

/** Zod attaches the conversion to JSON Schema to every schema, and the page never uses it. */
const withoutJsonSchema: Plugin = {
	name: 'without-json-schema',
	transform: {
		filter: { id: /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/ },
		handler(code) {
			const names = [...code.matchAll(/^export (?:function|const|\{ \w+ as) (\w+)/gm)].map(([, name]) => name);
			return { code: names.map((name) => `const ${name}_ = () => {};\nexport { ${name}_ as ${name} };`).join('\n'), map: null };
		},
	},
};

/** Nothing is inlined and nothing is injected: the page runs under a policy that allows only its own files. `bundle/page.ts` writes the result. */
export default defineConfig({
	root: fileURLToPath(new URL('.', import.meta.url)),
	resolve: { conditions: ['source', 'module', 'browser', 'production'] },
	define: { ROOST_VERSION: JSON.stringify(roost.version) },
	plugins: [withoutJsonSchema],
	build: {
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		target: 'es2023',
		// The first load is one file: many small ones compress badly, and zod is told not to compile before a schema is made.
		rolldownOptions: {
			checks: { bundlerTimings: false },
			output: { codeSplitting: { groups: [{ name: 'base', tags: ['$initial'] }] } },
		},
	},
	// A worker loads grammars when it needs them, so it is a module as well.
	worker: { format: 'es' },
	logLevel: 'warn',
});
