// Reads the sources and returns one sentence for each violation of the graph.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import {
	AGENT_NAME_HOMES,
	AGENT_NAMES,
	DYNAMIC_IMPORTS,
	LAYERS,
	MAX_LINES,
	PACKAGES,
	TEST_ONLY,
	WIRE_WORD_HOMES,
	WIRE_WORDS,
} from './graph.ts';

export type SourceFile = { path: string; text: string };
type Import = { specifier: string; dynamic: boolean; typeOnly: boolean };

export function readSources(root: string): SourceFile[] {
	return Object.keys(PACKAGES).flatMap((name) =>
		readdirSync(join(root, 'packages', name, 'src'), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
			.map((entry) => join(entry.parentPath, entry.name))
			.map((path) => ({ path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') })),
	);
}

export function findViolations(files: readonly SourceFile[]): string[] {
	if (files.length === 0) return ['no source file was read'];
	return files.flatMap((file) => [
		...importViolations(file),
		...lengthViolations(file),
		...moduleMockViolations(file),
		...wireWordViolations(file),
		...agentNameViolations(file),
	]);
}

function importViolations(file: SourceFile): string[] {
	const packageName = file.path.split('/')[1] ?? '';
	const allowed = PACKAGES[packageName];
	if (!allowed) return [`${file.path}: package ${packageName} is not in the graph`];
	return importsOf(file.text).flatMap((found) => {
		const problem = judgeImport(file.path, packageName, found);
		return problem ? [`${file.path}: ${problem}`] : [];
	});
}

function judgeImport(path: string, packageName: string, found: Import): string | null {
	const { specifier } = found;
	const allowed = PACKAGES[packageName];
	const test = isTest(path) || packageName === 'testkit';
	if (specifier.startsWith('.')) {
		if (escapesPackage(path, specifier)) return `imports ${specifier}, outside its package`;
		return test ? null : judgeLayer(packageName, path, specifier);
	}
	if (specifier.startsWith('node:'))
		return allowed?.node || test ? null : `imports ${specifier}, but ${packageName} must run in a browser`;
	if (TEST_ONLY.some((name) => specifier === name || specifier.startsWith(`${name}/`))) {
		return test ? null : `imports ${specifier}, which only tests may`;
	}
	if (specifier.startsWith('@roost/')) {
		const target = specifier.split('/')[1] ?? '';
		if (target === packageName) return `imports its own package by name: use a relative path`;
		if (allowed?.roost.includes(target) || (test && target === 'testkit')) return null;
		if (DYNAMIC_IMPORTS[path]?.includes(target) && (found.dynamic || found.typeOnly)) return null;
		return `imports ${specifier}: ${packageName} may not import ${target}`;
	}
	const npmName = specifier
		.split('/')
		.slice(0, specifier.startsWith('@') ? 2 : 1)
		.join('/');
	return allowed?.npm.includes(npmName) ? null : `imports ${npmName}, which ${packageName} may not`;
}

function judgeLayer(packageName: string, path: string, specifier: string): string | null {
	const layers = LAYERS[packageName];
	const from = folderOf(path);
	const to = folderOf(posix.join(posix.dirname(path), specifier));
	if (!layers || from === '' || from === to) return null;
	const levelOf = (folder: string) => layers.findIndex((layer) => layer.includes(folder));
	if (levelOf(from) < 0) return `${packageName}/${from} is in no layer: add it to boundary/graph.ts`;
	if (to === '') return `imports ${specifier}: a folder may not import the files beside it`;
	return levelOf(to) >= 0 && levelOf(to) < levelOf(from) ? null : `imports ${specifier}: ${from} is not above ${to}`;
}

/** The folder in `packages/<name>/src/<folder>/…`; empty for a file beside the folders. */
function folderOf(path: string): string {
	const [, , , folder = '', ...rest] = path.split('/');
	return rest.length === 0 ? '' : folder;
}

/** Static, dynamic and type imports; comments are stripped first so that prose is not mistaken for code. */
export function importsOf(text: string): Import[] {
	const code = withoutComments(text);
	const found: Import[] = [];
	for (const match of code.matchAll(/(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/g)) {
		found.push({ specifier: match[3] ?? '', dynamic: false, typeOnly: match[2] !== undefined });
	}
	for (const match of code.matchAll(/(typeof\s+)?\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g)) {
		found.push({ specifier: match[2] ?? '', dynamic: true, typeOnly: match[1] !== undefined });
	}
	return found;
}

function escapesPackage(path: string, specifier: string): boolean {
	const depth = path.split('/').length - 4;
	const ups = specifier.split('/').filter((part) => part === '..').length;
	return ups > depth;
}

function lengthViolations(file: SourceFile): string[] {
	const lines = file.text.split('\n').length - 1;
	const limit = isTest(file.path) ? MAX_LINES.test : MAX_LINES.source;
	return lines > limit ? [`${file.path}: ${lines} lines, more than ${limit}: split it by idea`] : [];
}

function moduleMockViolations(file: SourceFile): string[] {
	return /\bvi\s*\.\s*(mock|doMock)\s*\(/.test(file.text)
		? [`${file.path}: mocks a module; use the real thing or a fake that passes its contract test`]
		: [];
}

function wireWordViolations(file: SourceFile): string[] {
	if (WIRE_WORD_HOMES.some((home) => file.path.startsWith(home))) return [];
	const own = Object.entries(WIRE_WORDS).find(([agent]) => file.path.startsWith(`packages/agents/src/${agent}/`))?.[1] ?? [];
	return Object.entries(WIRE_WORDS).flatMap(([agent, words]) =>
		words
			.filter((word) => !own.includes(word) && file.text.includes(word))
			.map((word) => `${file.path}: contains "${word}", a word of ${agent}'s wire format`),
	);
}

/** As a folder of `agents`, as a whole string, or in an identifier; sentences may contain them. */
function agentNameViolations(file: SourceFile): string[] {
	if (/^packages\/(agents|testkit)\//.test(file.path) || isTest(file.path) || file.path in AGENT_NAME_HOMES) return [];
	const code = withoutComments(file.text);
	const imported = importsOf(file.text).map(({ specifier }) => /^@roost\/agents\/([^/]+)\//.exec(specifier)?.[1] ?? '');
	const texts = [...code.matchAll(/(['"`])([a-z]+)\1/g)].map(([, , text = '']) => text);
	const names = (code.replace(TEXT, '').match(/\w+/g) ?? []).map((name) => name.toLowerCase());
	return AGENT_NAMES.filter(
		(agent) =>
			imported.includes(agent) ||
			texts.includes(agent) ||
			// Short names are parts of many words.
			names.some((name) => (agent.length > 4 ? name.includes(agent) : name === agent)),
	).map((agent) => `${file.path}: names the agent ${agent}; use a member of AgentKind instead`);
}

const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

function withoutComments(text: string): string {
	return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function isTest(path: string): boolean {
	return /\.(test|contract)\.tsx?$/.test(path);
}
