import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildInstalledHooks, type InstalledHooks, MARKER, planInstall, planUninstall } from './installed-hooks.ts';

const HOOKS = buildInstalledHooks({
	forwarder: { node: '/usr/bin/node', script: '/opt/roost/forwarder.js' },
	socketPath: '/run/roost/hooks.sock',
	secretFile: '/home/dev/.roost/secrets/x.secret',
	startFile: '/home/start.json',
});
const OTHERS = buildInstalledHooks({
	forwarder: { node: '/usr/bin/node', script: '/opt/roost-2/forwarder.js' },
	socketPath: '/run/roost/hooks.sock',
	secretFile: '/home/dev/.roost/secrets/x.secret',
	startFile: '/home/start.json',
});
const [OURS] = Object.values(HOOKS);

function install(current: string | null, hooks: InstalledHooks = HOOKS, original = current): string {
	return unwrap(planInstall({ current, original }, hooks)).after ?? '';
}

function uninstall(current: string, original: string | null): string | null {
	return unwrap(planUninstall({ current, original })).after;
}

const RUNS = process.env.ROOST_SOAK === '1' ? 2000 : 40;
const TIMEOUT = 30_000 + RUNS * 200;

const userHook = { type: 'command', command: 'my-linter' };

describe('installing', () => {
	it('creates a missing file with a marked entry for every event', () => {
		const after = install(null);
		expect(JSON.parse(after)).toEqual({
			hooks: Object.fromEntries(Object.entries(HOOKS).map(([event, group]) => [event, [group]])),
		});
		expect(after.startsWith('{\n  "hooks": {\n    "PreToolUse": [\n      {\n        "hooks": [')).toBe(true);
		expect(after.endsWith('}\n')).toBe(true);
		expect(after.split(MARKER).length - 1).toBe(Object.keys(HOOKS).length);
	});

	it('adds no HTTP hook, no onFailure setting and no WorktreeCreate hook', () => {
		const entries = JSON.stringify(HOOKS);
		expect(entries).not.toContain('"http"');
		expect(entries).not.toContain('onFailure');
		expect(Object.keys(HOOKS)).not.toContain('WorktreeCreate');
	});

	it("keeps the user's settings and formatting, and adds entries after their own", () => {
		const before = `{
    "permissions": { "allow": ["Bash(ls:*)",   "Read"] },
    "2": 1.0, "1": 1e3,
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [${JSON.stringify(userHook)}] }
        ],
        "Stop": []
    },
    "model": "opus"
}`;
		const edit = unwrap(planInstall({ current: before, original: before }, HOOKS));
		const removed = edit.diff.split('\n').filter((line) => /^-(?!--)/.test(line));
		expect(removed).toEqual([
			'-            { "matcher": "Bash", "hooks": [{"type":"command","command":"my-linter"}] }',
			'-        "Stop": []',
		]);
		const after = JSON.parse(edit.after ?? '');
		expect(after.hooks.PreToolUse).toEqual([{ matcher: 'Bash', hooks: [userHook] }, HOOKS.PreToolUse]);
		expect(after.hooks.Stop).toEqual([HOOKS.Stop]);
		expect(edit.after).toContain('{ "allow": ["Bash(ls:*)",   "Read"] },\n    "2": 1.0, "1": 1e3,\n');
		expect(edit.after).toContain('"my-linter"}] },\n            {\n                "hooks": [\n');
	});

	it.each([
		['with tabs', JSON.stringify({ a: { b: 1 } }, null, '\t'), '\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{'],
		['with four spaces', JSON.stringify({ a: 1 }, null, 4), '\n    "hooks": {\n        "PreToolUse": ['],
		['with CRLF', '{\r\n  "a": 1\r\n}\r\n', ',\r\n  "hooks": {\r\n    "PreToolUse": [\r\n'],
		['on one line', '{"a":1}', '{"a":1,"hooks":{"PreToolUse":[{"hooks":['],
	])('follows the formatting of a file %s', (_name, before, expected) => {
		expect(install(before)).toContain(expected);
	});

	it('changes nothing when repeated', () => {
		for (const before of [null, '{}', '{"hooks":{"Stop":[]}}', '{\n\t"a": 1\n}\n']) {
			const once = install(before);
			expect(unwrap(planInstall({ current: once, original: before }, HOOKS))).toEqual({ before: once, after: once, diff: '' });
		}
	});

	it('replaces outdated, modified and duplicate Roost entries', () => {
		const before = '{"model":"opus","hooks":{"Stop":[]}}';
		expect(install(install(before), OTHERS, before)).toBe(install(before, OTHERS));
		const tampered = JSON.parse(install(before));
		tampered.hooks.PreToolUse[0].hooks[0].command = 'evil';
		tampered.hooks.Mine = [OURS, { hooks: [userHook, ...(Array.isArray(OURS?.hooks) ? OURS.hooks : [])] }];
		delete tampered.hooks.SessionStart;
		const repaired = JSON.parse(install(JSON.stringify(tampered), HOOKS, before));
		expect(repaired.hooks).toEqual({
			...JSON.parse(install(before)).hooks,
			Mine: [{ hooks: [userHook] }],
		});
	});

	it.each([
		['nothing', ''],
		['truncated JSON', '{"hooks":'],
		['comments', '{} // mine'],
		['a byte order mark', '\uFEFF{}'],
		['a list', '[]'],
		['null', 'null'],
		['a list of hooks', '{"hooks":[]}'],
		['null as hooks', '{"hooks":null}'],
		['an event that is not a list', '{"hooks":{"Stop":{}}}'],
		['very deep nesting', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`],
	])('refuses a file that contains %s with a one-line error', (_name, current) => {
		const error = unwrapError(planInstall({ current, original: null }, HOOKS));
		expect(error.code).toBe('corrupt');
		expect(error.message).toMatch(/^\.claude\/settings\.local\.json was left as it is: .+; fix it and retry$/);
	});

	it('uses the last of duplicate keys and recognizes escaped keys', () => {
		const before = '{"hooks":1,"\\u0068ooks":{"__proto__":[],"Stop":[]}}';
		const after = install(before);
		expect(JSON.parse(after).hooks.Stop).toEqual([HOOKS.Stop]);
		expect(uninstall(after, before)).toBe(before);
	});

	it('is not misled by strings that look like JSON structure or contain the marker', () => {
		const before = JSON.stringify({
			a: '"hooks": {"Stop": [',
			hooks: { Stop: [{ hooks: [{ ...userHook, args: 'x' }, null, 7] }, 'text'] },
			b: `\\"${MARKER}`,
		});
		expect(uninstall(install(before), null)).toBe(before);
	});
});

describe('uninstalling', () => {
	it('removes the file if Roost created it', () => {
		expect(uninstall(install(null), null)).toBe(null);
		expect(unwrap(planUninstall({ current: install(null), original: null })).diff).toContain('+++ /dev/null');
	});

	it('leaves a file without Roost entries alone, even next to an old backup', () => {
		for (const current of ['{}', '{"hooks":{"Stop":[]}}', '{ "hooks" : 3 }'])
			expect(unwrap(planUninstall({ current, original: '{"a":1}' }))).toEqual({ before: current, after: current, diff: '' });
		expect(unwrap(planUninstall({ current: null, original: null })).after).toBe(null);
	});

	it('keeps later changes and a hook that the user added next to ours', () => {
		const changed = JSON.parse(install('{"a":1}'));
		changed.a = 2;
		changed.hooks.Stop[0].hooks.push(userHook);
		changed.hooks.PreToolUse[0].matcher = 'Bash';
		const text = JSON.stringify(changed, null, 2);
		expect(uninstall(text, '{"a":1}')).toBe(JSON.stringify({ a: 2, hooks: { Stop: [{ hooks: [userHook] }] } }, null, 2));
	});

	it('handles a file with thousands of entries marked as ours', () => {
		const claimed = { hooks: [{ args: [MARKER] }] };
		const hooks = { Stop: Array.from({ length: 20_000 }, () => claimed), Setup: [claimed, { hooks: [userHook] }, claimed] };
		expect(uninstall(JSON.stringify({ hooks }), null)).toBe(JSON.stringify({ hooks: { Setup: [{ hooks: [userHook] }] } }));
	});

	it('handles numbers of any length', () => {
		const before = `{"a":-${'1'.repeat(5000)}.5e+3,"b":[true,false,null ]}`;
		expect(uninstall(install(before), null)).toBe(before);
	});

	it('refuses a file that it cannot parse', () => {
		expect(unwrapError(planUninstall({ current: '{', original: null })).code).toBe('corrupt');
		expect(unwrapError(planUninstall({ current: '[]', original: '{}' })).code).toBe('corrupt');
	});
});

describe('arbitrary settings', () => {
	const group = fc.record({ matcher: fc.string(), hooks: fc.array(fc.jsonValue()) }, { requiredKeys: [] });
	const events = fc.constantFrom('PreToolUse', 'Stop', 'SessionStart', 'Other', '7', '__proto__');
	const hooks = fc.dictionary(events, fc.array(fc.oneof(group, fc.jsonValue()), { maxLength: 3 }), { maxKeys: 4 });
	const settings = fc
		.tuple(
			fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('a', '1', '__proto__')), fc.jsonValue(), { maxKeys: 5 }),
			fc.option(hooks),
		)
		.map(([rest, own]) => (own === null ? rest : { ...rest, hooks: own }))
		.filter((value) => value.hooks === undefined || isPlain(value.hooks));
	const layout = fc.record({
		indent: fc.constantFrom('', ' ', '  ', '\t', '        '),
		crlf: fc.boolean(),
		end: fc.constantFrom('', '\n', '\n\n  '),
	});
	const text = fc.tuple(settings, layout).map(([value, { indent, crlf, end }]) => {
		const written = JSON.stringify(value, null, indent) + end;
		return crlf ? written.replaceAll('\n', '\r\n') : written;
	});

	it('are restored byte for byte by uninstalling, and installing is idempotent', {
		timeout: TIMEOUT,
	}, () => {
		fc.assert(
			fc.property(text, (before) => {
				const once = install(before);
				expect(install(once, HOOKS, before)).toBe(once);
				expect(uninstall(once, before)).toBe(before);
				expect(uninstall(install(once, OTHERS, before), before)).toBe(before);
			}),
			{ numRuns: RUNS },
		);
	});

	it('are kept in order by installing, and lose only empty lists when uninstalled without the original', {
		timeout: TIMEOUT,
	}, () => {
		fc.assert(
			fc.property(text, (before) => {
				const { hooks: old = {}, ...rest } = JSON.parse(before);
				const { hooks: installed, ...kept } = JSON.parse(install(before));
				expect(kept).toEqual(rest);
				expect(Object.keys(kept)).toEqual(Object.keys(rest));
				for (const event of Object.keys(old)) expect(installed[event].slice(0, old[event].length)).toEqual(old[event]);
				const { hooks: left = {}, ...again } = JSON.parse(uninstall(install(before), '{"other":1}') ?? '{}');
				expect(again).toEqual(rest);
				expect(withoutEmpty(left)).toEqual(withoutEmpty(old));
			}),
			{ numRuns: RUNS },
		);
	});

	function isPlain(value: unknown): boolean {
		return typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray) && !Array.isArray(value);
	}

	function withoutEmpty(value: object): object {
		return Object.fromEntries(Object.entries(value).filter(([, list]) => !Array.isArray(list) || list.length > 0));
	}
});
