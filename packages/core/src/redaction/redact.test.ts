import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const { redact } = createRedactor(sha);
const fill = (alphabet: string, length: number) =>
	Array.from({ length }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('');
const alnum = (length: number) => fill('aB3dE5gH7jK9mN1pQ2sT4vW6yZ8', length);
const hex = (length: number) => fill('0a1b2c3d4e5f6789', length);
const upper = (length: number) => fill('ABC2DEF3GHI4JKL5MNO6PQR7', length);

// Assembled from parts, so that no complete token stands in this file.
const TOKENS: [kind: string, secret: string][] = [
	['anthropic', `sk-${'ant'}-api03-${alnum(80)}-_AA`],
	['anthropic', `sk-${'ant'}-oat01-${alnum(40)}`],
	['openrouter', `sk-${'or'}-v1-${hex(64)}`],
	['openai', `sk-${'proj'}-${alnum(60)}_-x`],
	['openai', `sk-${'svcacct'}-${alnum(60)}`],
	['openai', `sk-${alnum(48)}`],
	['groq', `gsk${'_'}${alnum(52)}`],
	['xai', `xai${'-'}${alnum(80)}`],
	['replicate', `r8${'_'}${alnum(37)}`],
	['perplexity', `pplx${'-'}${alnum(48)}`],
	['huggingface', `hf${'_'}${alnum(34)}`],
	...['p', 'o', 'u', 's', 'r'].map((letter): [string, string] => ['github', `gh${letter}_${alnum(36)}`]),
	['github', `github${'_pat_'}${alnum(22)}_${alnum(59)}`],
	['gitlab', `glpat${'-'}${alnum(20)}`],
	['gitlab', `glrt${'-'}${alnum(20)}`],
	['aws-key-id', `AKIA${upper(16)}`],
	['aws-key-id', `ASIA${upper(16)}`],
	['google-api', `AIza${alnum(35)}`],
	['google-oauth', `ya29${'.'}${alnum(60)}`],
	['google-oauth', `GOCSPX${'-'}${alnum(28)}`],
	['slack', `xoxb${'-'}${fill('123456', 12)}-${alnum(24)}`],
	['slack', `xoxp${'-'}${fill('123456', 12)}-${alnum(24)}`],
	['slack', `xapp${'-1-'}${upper(11)}-${fill('123', 13)}-${hex(64)}`],
	['stripe', `sk${'_live_'}${alnum(24)}`],
	['stripe', `rk${'_test_'}${alnum(24)}`],
	['stripe', `whsec${'_'}${alnum(32)}`],
	['npm', `npm${'_'}${alnum(36)}`],
	['pypi', `pypi${'-'}AgEIcHlwaS5vcmc${alnum(80)}`],
	['rubygems', `rubygems${'_'}${hex(48)}`],
	['docker', `dckr${'_pat_'}${alnum(27)}`],
	['jwt', `eyJ${alnum(30)}.eyJ${alnum(60)}.${alnum(43)}`],
	['azure-client', `${alnum(3)}8Q~${alnum(34)}`],
	['digitalocean', `dop${'_v1_'}${hex(64)}`],
	['twilio', `AC${hex(32)}`],
	['twilio', `SK${hex(32)}`],
	['sendgrid', `SG${'.'}${alnum(22)}.${alnum(43)}`],
	['mailgun', `key${'-'}${hex(32)}`],
	['mailchimp', `${hex(32)}-us12`],
	['discord', `M${alnum(23)}.${alnum(6)}.${alnum(38)}`],
	['telegram', `${fill('123456789', 9)}:AA${alnum(33)}`],
	['shopify', `shpat${'_'}${hex(32)}`],
	['square', `sq0atp${'-'}${alnum(22)}`],
	['linear', `lin${'_api_'}${alnum(40)}`],
	['notion', `ntn${'_'}${alnum(46)}`],
	['figma', `figd${'_'}${alnum(40)}`],
	['postman', `PMAK${'-'}${hex(24)}-${hex(34)}`],
	['databricks', `dapi${hex(32)}`],
	['doppler', `dp${'.pt.'}${alnum(43)}`],
	['vault', `hvs${'.'}${alnum(90)}`],
	['terraform', `${alnum(14)}.atlasv1.${alnum(67)}`],
	['grafana', `glsa${'_'}${alnum(32)}_${hex(8)}`],
	['newrelic', `NRAK${'-'}${upper(27)}`],
	['sentry', `sntrys${'_'}${alnum(60)}`],
	['supabase', `sbp${'_'}${hex(40)}`],
	['planetscale', `pscale${'_tkn_'}${alnum(43)}`],
	['age', `AGE-SECRET-${'KEY-1'}${upper(58)}`],
	['atlassian', `ATATT3${alnum(180)}`],
	['tailscale', `tskey${'-auth-'}${alnum(12)}-${alnum(30)}`],
	['airtable', `pat${alnum(14)}.${hex(64)}`],
	['pulumi', `pul${'-'}${hex(40)}`],
	['heroku', `HRKU${'-'}${alnum(36)}`],
	['private-key', `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${alnum(64)}\n${alnum(64)}\n-----END RSA ${'PRIVATE'} KEY-----`],
	['private-key', `-----BEGIN ${'PRIVATE'} KEY-----\\n${alnum(64)}\\n-----END ${'PRIVATE'} KEY-----`],
];

/** The text around a secret that is recognised only by its context. */
const IN_PLACE: [kind: string, before: string, secret: string, after: string][] = [
	['bearer', 'Authorization: Bearer ', alnum(40), '\r\n'],
	['bearer', "-H 'authorization: bearer ", alnum(40), "'"],
	['basic-auth', 'Authorization: Basic ', `${alnum(20)}==`, ''],
	['url-password', 'https://user:', 'hunter2x', '@host.example/path'],
	['url-password', 'postgres://app:', 'p.w-d!', '@db:5432/x'],
	['slack-webhook', 'https://hooks.slack.com/services/', `T${upper(8)}/B${upper(8)}/${alnum(24)}`, ''],
	['discord-webhook', `https://discord.com/api/webhooks/${fill('123', 18)}/`, alnum(68), ''],
	['azure-storage', 'AccountName=x;AccountKey=', `${alnum(86)}==`, ';EndpointSuffix=y'],
	['azure-sas', 'https://x.example/y?sv=1&sig=', `${alnum(43)}%3D`, '&se=2'],
	['named', 'DB_PASSWORD=', 'hunter2hunter2', '\n'],
	['named', 'export AWS_SECRET_ACCESS_KEY=', `${alnum(20)}/${alnum(19)}`, ''],
	['named', 'password = "', 's3cr3t!', '"'],
	['named', '"api_key": "', alnum(20), '",'],
	['named', "apiKey: '", alnum(20), "'"],
	['named', '{\\"client_secret\\": \\"', alnum(20), '\\"}'],
	['named', '?x=1&access_token=', alnum(20), '&y=2'],
	['named', 'url=https://x.example/?token=', alnum(20), ''],
	['named', 'mytool --password ', 'hunter2hunter2', ' --verbose'],
	['named', 'mytool --auth-token=', alnum(12), ''],
	['named', 'secret: ', alnum(16), '\n'],
];

const mark = (kind: string, secret: string) => `[redacted:${kind}:${sha(secret).slice(0, 8)}]`;

describe('secret', () => {
	it.each(TOKENS.map(([kind, secret]) => ({ kind, secret })))(
		'of kind $kind is replaced by its mark in any context',
		({ kind, secret }) => {
			for (const [before, after] of [
				['', ''],
				['x ', ' y'],
				['"', '"'],
				['(', ')'],
				['a\n', '\nb'],
				['\\n', '\\n'],
				['=', ';'],
				['some words, '.repeat(30), ' and more'.repeat(30)],
			]) {
				const found = redact(`${before}${secret}${after}`);
				expect(found.value).toBe(`${before}${mark(kind, secret)}${after}`);
				expect(found.redactions).toEqual([{ kind, hashPrefix: sha(secret).slice(0, 8) }]);
			}
		},
	);

	it.each(IN_PLACE.map(([kind, before, secret, after]) => ({ kind, before, secret, after })))(
		'after $before is marked as $kind',
		({ kind, before, secret, after }) => {
			expect(redact(before + secret + after).value).toBe(before + mark(kind, secret) + after);
		},
	);

	it('is marked by the name of its field, regardless of its value', () => {
		const input = { user: 'ann', password: 'correcthorse', nested: [{ 'X-Api-Key': 'abcdef' }], tokens: 12, token: '' };
		expect(redact(input).value).toEqual({
			...input,
			password: mark('named', 'correcthorse'),
			nested: [{ 'X-Api-Key': mark('named', 'abcdef') }],
		});
	});

	it('is redacted to the end if it is a truncated private key', () => {
		expect(redact(`x -----BEGIN ${'PRIVATE'} KEY-----\n${alnum(30)}`).value).toMatch(/^x \[redacted:private-key:[0-9a-f]{8}\]$/);
	});

	it('always gets the same mark, different from other secrets, and the mark is not redacted again', () => {
		const [first, second] = [`ghp_${alnum(36)}`, `ghp_${hex(36)}`];
		const once = redact({ a: first, b: [`x ${first}`, second], [first]: 1, env: `GITHUB_TOKEN=${first}` });
		expect(once.value.b[0]).toBe(`x ${once.value.a}`);
		expect(once.value.b[1]).not.toBe(once.value.a);
		expect(Object.keys(once.value)).toContain(once.value.a);
		expect(once.redactions).toHaveLength(5);
		const again = redact(once.value);
		expect(again.value).toBe(once.value);
		expect(again.redactions).toEqual([]);
	});
});

describe('ordinary text', () => {
	it.each([
		'9fceb02d0ae598e95dc970b74767f19372d61af8',
		'commit 9fceb02 by 550e8400-e29b-41d4-a716-446655440000',
		'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
		`data:image/png;base64,iVBORw0KGgo${fill('AbC+/9xYz0', 4000)}==`,
		'sha512-oRx1Vq3xPpLfL7Yd8JcLq0Zk2m1Yh8v8K3kq2m9F1w0C5m7p1q2r3s4t5u6v7w8x9y0zA1B2C3D4E5F6G7H8I9==',
		'const password = getPassword(user1);',
		'password: string;',
		'password = process.env.DB_PASSWORD1',
		'token: uint256',
		'if (token === other.token2) return;',
		'const token = await auth.getToken({ id: 1 });',
		'PASSWORD=$DB_PASSWORD',
		`API_KEY=\${API_KEY_2}`,
		'api_key: <your-api-key-1>',
		'api_key="YOUR_API_KEY_123"',
		'"password": "Passwort"',
		'max_tokens: 4096, input_tokens=12345678',
		'nextPageToken: "CAUQAA1234"',
		'PWD=/home/u1/project',
		'public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA',
		'-----BEGIN PUBLIC KEY-----\nMIIBIjAN\n-----END PUBLIC KEY-----',
		'-----BEGIN CERTIFICATE-----\nMIIBIjAN\n-----END CERTIFICATE-----',
		'https://example.com:8080/a@b',
		'http://user@host.example/x',
		`https://user:$PASS@host.example`,
		'git@github.com:owner/repo.git',
		'class="sk-circle sk-child sk-loading-indicator-wrapper-element"',
		'npm_config_registry=https://registry.example npm_package_name=x',
		'import { hf_hub_download_with_progress_bar_enabled } from "x"',
		'The bearer of this letter is authorised to pass.',
		'Authorization: Bearer <token>',
		'the key-value store, a key-board, monkey-patching',
		'eyJhbGciOiJIUzI1NiJ9',
		'src/secret_sharing/token_bucket.ts: error TS2345',
		'SKIPPED 12 tests, ACCESS granted',
		'version 1.2.3-beta.4+build.5678',
		'v1.2.3.4567890123456789012345678901234567',
		'xoxb-your-token-here',
		'a.b.c.d.e.f.g MNO.abcdef.xyz',
		'secret = "correct horse battery staple"',
		'dp.padding.left dapi discord.com/channels/1/2',
	])('%j is unchanged', (text) => {
		expect(redact(text)).toEqual({ value: text, redactions: [] });
	});

	it('is returned as the same object', () => {
		const value = { a: [1, 'x', null, { b: true }], c: 'token' };
		expect(redact(value).value).toBe(value);
		const half = redact({ kept: value, found: `ghp_${alnum(36)}` });
		expect(half.value.kept).toBe(value);
	});

	it('is never changed if nothing is found', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const found = redact(value);
				if (found.redactions.length === 0) expect(found.value).toBe(value);
			}),
		);
	});
});

describe('search for secrets', () => {
	it.each([
		'sk-ant-',
		'eyJ',
		'eyJaaaaaaaaaa.',
		'token=',
		'password',
		'a:b@',
		'://a:',
		'-----BEGIN PRIVATE KEY-----',
		'Bearer ',
		'dp.pt.',
		'SG.',
		'\\n',
		'secret: ',
		'--token ',
		'=',
		'M',
		'0',
		'a-',
	])('terminates on a megabyte of %j', (piece) => {
		expect(redact(piece.repeat(1_000_000 / piece.length)).value).toBeTypeOf('string');
	});
});
