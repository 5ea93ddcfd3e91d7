import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { withoutTrust, withTrust } from './user-hooks.ts';

const TRUSTS = [
	{ key: '/h/hooks.json:stop:0:0', hash: 'sha256:a' },
	{ key: '/h/hooks.json:pre_tool_use:1:0', hash: 'sha256:b' },
];
const add = (text: string | null) => unwrap(withTrust(text, TRUSTS, 'config.toml'));

describe('hook trust', () => {
	it.each([null, '', 'a = 1', 'a = 1\n', '[t]\na = 1\n\n', '\n'])('is added once and removed without a trace from %j', (text) => {
		const installed = add(text);
		expect(installed).toContain('[hooks.state."/h/hooks.json:stop:0:0"] # --roost-managed\ntrusted_hash = "sha256:a"\n');
		expect(add(installed)).toBe(installed);
		expect(withoutTrust(installed)).toBe(text);
	});

	it('is removed together with keys that Codex added to its tables, and nothing else', () => {
		const installed = add('a = 1\n').replace('"sha256:a"\n', '"sha256:a"\nenabled = false\n');
		expect(withoutTrust(`${installed}\n[projects."/p"]\ntrust_level = "trusted"\n`)).toBe(
			'a = 1\n\n[projects."/p"]\ntrust_level = "trusted"\n',
		);
		const between = add('a = 1').replace('[hooks.state."/h/hooks.json:pre', '[mine]\nb = 2\n[hooks.state."/h/hooks.json:pre');
		expect(withoutTrust(`${between}[last]\n`)).toBe('a = 1\n[mine]\nb = 2\n[last]\n');
		expect(withoutTrust(add('a = 1\n').trimEnd())).toBe('a = 1\n');
	});

	it.each(['hooks = {}', 'hooks.state = {}', '[hooks]\nstate = {}', '[hooks.state."/h/hooks.json:stop:0:0"]'])(
		'is not added if it would make the file invalid for Codex: %j',
		(text) => {
			expect(unwrapError(withTrust(text, TRUSTS, 'config.toml'))).toMatchObject({ code: 'conflict' });
		},
	);
});
