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

/** The login has a script of its own, which runs before the large one is evaluated. */
const LOGIN_PARTS =
	/web[\\/]src[\\/]device[\\/](?:login|keys)\.ts$|protocol[\\/]src[\\/](?:api[\\/]signed-text|contract[\\/]api-path)\.ts$/;

const loginFirst: Plugin = {
	name: 'login-first',
	transformIndexHtml: {
		order: 'post',
		handler(_, { bundle = {} }) {
			const login = Object.values(bundle).find(({ name, type }) => type === 'chunk' && name === 'login');
			if (!login) throw new Error('The login has no script of its own.');
			return [{ tag: 'script', attrs: { type: 'module', src: `/${login.fileName}` }, injectTo: 'head-prepend' }];
		},
	},
};

/** The same interface in a tenth of the size: a phone on a slow line shows a request half a second earlier. */
const SMALLER_REACT = {
	'react/jsx-runtime': 'preact/jsx-runtime',
	'react-dom/client': 'preact/compat/client',
	'react-dom': 'preact/compat',
	react: 'preact/compat',
};

/** Nothing is inlined and nothing is injected: the page runs under a policy that allows only its own files. `bundle/page.ts` writes the result. */
export default defineConfig({
	root: fileURLToPath(new URL('.', import.meta.url)),
	resolve: { conditions: ['source', 'module', 'browser', 'production'], alias: SMALLER_REACT },
	define: { ROOST_VERSION: JSON.stringify(roost.version) },
	plugins: [withoutJsonSchema, loginFirst],
	build: {
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		target: 'es2023',
		// The first load is one file: many small ones compress badly, and zod is told not to compile before a schema is made.
		rolldownOptions: {
			checks: { bundlerTimings: false },
			output: {
				codeSplitting: {
					groups: [
						{ name: 'login', tags: ['$initial'], test: LOGIN_PARTS, priority: 2 },
						{ name: 'base', tags: ['$initial'], priority: 1 },
					],
				},
			},
		},
	},
	// A worker loads grammars when it needs them, so it is a module as well.
	worker: { format: 'es' },
	logLevel: 'warn',
});
