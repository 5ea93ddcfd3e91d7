// Ordinary text stays readable: how many lines are redacted by mistake, and that the search is linear.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVERYDAY_COMMANDS } from '@roost/testkit/corpora/everyday-commands';
import { describe, expect, it } from 'vitest';
import { COMMAND_SHAPES } from './command-secrets.ts';
import { PLACED_SHAPES } from './placed-secrets.ts';
import { createRedactor } from './redact.ts';

const { redact } = createRedactor((text) => createHash('sha256').update(text).digest('hex'));

describe('ordinary text', () => {
	it('has at most 1 % of its lines redacted in each group', async ({ annotate }) => {
		const groups = readOrdinaryText(join(import.meta.dirname, '../../../..', 'packages'));
		const counts = groups.map(({ name, lines }) => ({
			name,
			lines: lines.length,
			touched: lines.filter((line) => redact(line).redactions.length > 0),
		}));
		const all = counts.reduce((sum, { lines }) => sum + lines, 0);
		const touched = counts.flatMap((group) => group.touched);
		await annotate(
			`ordinary text: ${touched.length} of ${all} lines redacted by mistake (${((100 * touched.length) / all).toFixed(3)} %)`,
		);
		for (const group of counts) expect(group.touched.length / group.lines, group.touched.join('\n')).toBeLessThanOrEqual(0.01);
		expect(all).toBeGreaterThan(10_000);
	});

	it('has at most one redaction per 100 lines of code when redacted in one piece', () => {
		const code = readOrdinaryText(join(import.meta.dirname, '../../../..', 'packages')).find(({ name }) => name === 'code');
		const text = code?.lines.join('\n') ?? '';
		expect(redact(text).redactions.length / (code?.lines.length ?? 1)).toBeLessThanOrEqual(0.01);
	});
});

describe('words that begin like a token', () => {
	it.each(['git checkout patch-1', 'patch-1.2.3', 'cat path2', 'docs/pattern4', 'pate8ht4pjjtb5qz', 'pat7ht4pjj.12'])(
		'stay as they are at the end of a text: %s',
		(text) => expect(redact(text).value).toBe(text),
	);
});

describe('search for secrets', () => {
	it('uses no unbounded quantifier', () => {
		for (const { source } of [...PLACED_SHAPES, ...COMMAND_SHAPES]) {
			const plain = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
			expect(plain, source).not.toMatch(/[+*]|\{\d+,\}/);
		}
	});

	it('hashes each secret once, in time linear in the length of the text', () => {
		const count = (times: number) => {
			let hashed = 0;
			const { redact: counting } = createRedactor((text) => {
				hashed += text.length;
				return '0123abcd';
			});
			counting(`curl -u a:${'b'.repeat(20)} https://x.example/?token=${'c1'.repeat(12)}\n`.repeat(1000 * times));
			return hashed;
		};
		expect(count(8)).toBe(8 * count(1));
	});
});

/** Line by line. The code is the current source of the packages below `root`. */
function readOrdinaryText(root: string): { name: string; lines: string[] }[] {
	return [
		{ name: 'commands', lines: [...EVERYDAY_COMMANDS] },
		{ name: 'code', lines: readCode(root) },
		{ name: 'hashes and ids', lines: Array.from({ length: 500 }, (_, at) => hashLine(at)) },
		{ name: 'paths', lines: Array.from({ length: 300 }, (_, at) => pathLine(at)) },
		{ name: 'images', lines: Array.from({ length: 20 }, (_, at) => imageLine(at)) },
		{ name: 'output', lines: OUTPUT },
	];
}

function readCode(root: string): string[] {
	const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
		.filter((path) => /[/\\]src[/\\].*\.ts$/.test(path) && !/node_modules|dist|redact|secret|redaction/.test(path))
		.sort();
	return files.flatMap((path) => readFileSync(join(root, path), 'utf8').split('\n')).filter((line) => line.trim() !== '');
}

const digest = (algorithm: string, at: number) => createHash(algorithm).update(`ordinary ${at}`);

function hashLine(at: number): string {
	const sha = digest('sha1', at).digest('hex');
	const long = digest('sha256', at).digest('hex');
	const uuid = `${long.slice(0, 8)}-${long.slice(8, 12)}-4${long.slice(13, 16)}-8${long.slice(17, 20)}-${long.slice(20, 32)}`;
	const forms = [
		`commit ${sha}`,
		`${sha.slice(0, 7)} fix the parser (#${at})`,
		`"integrity": "sha512-${digest('sha512', at).digest('base64')}",`,
		`session ${uuid} started`,
		`sha256:${long}`,
		`${long}  dist/app-${at}.tar.gz`,
		`index ${sha.slice(0, 10)}..${sha.slice(10, 20)} 100644`,
		`"id": "toolu_${digest('sha256', at).digest('base64url').slice(0, 24)}"`,
		`ETag: "${sha}"`,
		`msg_${digest('sha1', at).digest('base64url').slice(0, 22)}`,
	];
	return forms[at % forms.length] ?? '';
}

function pathLine(at: number): string {
	const forms = [
		`/home/dev/project-${at}/src/components/token-list.tsx`,
		`./node_modules/.pnpm/@babel+core@7.${at}.1/node_modules/@babel/core/lib/index.js`,
		`C:\\Users\\dev\\AppData\\Local\\Temp\\build-${at}\\out.txt`,
		`packages/auth/src/password-reset.test.ts:${at}:12`,
		`https://example.com/docs/keys/${at}?page=2&sort=name#api-keys`,
		`git@github.com:owner/repo-${at}.git`,
	];
	return forms[at % forms.length] ?? '';
}

function imageLine(at: number): string {
	const bytes = Buffer.concat(Array.from({ length: 64 }, (_, part) => digest('sha512', at * 64 + part).digest()));
	return `data:image/png;base64,iVBORw0KGgo${bytes.toString('base64')}`;
}

const OUTPUT: string[] = [
	'PASS  src/token.test.ts (12 tests) 431ms',
	'FAIL  packages/auth/session.test.ts > keeps the password hashed',
	'Unexpected token } in JSON at position 4812',
	'error TS2345: Argument of type "string" is not assignable to parameter of type "Token".',
	'npm warn deprecated inflight@1.0.6: This module is not supported',
	'added 512 packages, and audited 513 packages in 12s',
	'On branch main. Your branch is up to date with origin/main.',
	'max_tokens: 4096, input_tokens: 12345678, output_tokens=987',
	'The API key is read from the environment; set OPENAI_API_KEY before you start.',
	'Enter your password: ',
	'password must have at least 12 characters',
	'Authorization header is missing',
	'Set the Cookie header to keep the session.',
	'const { token, key, password } = await readConfig();',
	'if (!token) throw new Error("no token");',
	'primary_key: id, foreign_key: user_id, sort_key: created_at',
	'KEY=VALUE pairs are read from .env',
	'curl -fsSL https://example.com/install.sh | sh',
	'docker run --rm -p 8080:80 -e NODE_ENV=production nginx:1.27',
	'ssh -p 2222 dev@host.example uptime',
	'mysql -u root -p shop < dump.sql',
	'tar -xzf release-1.2.3.tar.gz -C /opt',
	'Bearer tokens are sent in the Authorization header.',
	'basic usage: roost sessions --all',
	'login succeeded for user dev',
	'default password policy applies',
	'press any key to continue',
	'secret santa list.txt',
	'auth: true, keys: 12, tokens: [1, 2, 3]',
	'The machine was restarted by default.',
];
