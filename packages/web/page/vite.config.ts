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
		rolldownOptions: {
			output: {
				codeSplitting: {
					groups: [
						// Zod is told not to compile before any other chunk makes a schema.
						{ name: 'zod', test: /zod/ },
						// One file compresses better than the parts that later pages share with the first.
						{ name: 'first', tags: ['$initial'] },
					],
				},
			},
		},
	},
	logLevel: 'warn',
});
