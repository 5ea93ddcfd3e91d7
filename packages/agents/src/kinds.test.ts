import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { AGENT_NAMES } from './base/agent-names.ts';
import { GUARD_WIRES } from './guard-program/wires.ts';
import { AGENT_KINDS, allAdapters, findKind, getAdapter, KNOWN_AGENTS } from './kinds.ts';

describe('agent lookup', () => {
	it('returns the named agent, else the configured one, else Claude', () => {
		for (const adapter of allAdapters()) {
			expect(unwrap(getAdapter(adapter.id, { default: 'nobody' })).id).toBe(adapter.id);
			expect(unwrap(getAdapter(undefined, { default: adapter.id })).id).toBe(adapter.id);
		}
		expect(unwrap(getAdapter(undefined)).id).toBe('claude');
		expect(unwrap(getAdapter(undefined, {})).id).toBe('claude');
	});

	it('rejects an unknown agent and lists the known ones', () => {
		for (const name of ['nobody', '', '__proto__', 'constructor']) {
			const { code, message } = unwrapError(getAdapter(name));
			expect(code).toBe('bad_request');
			expect(message).toContain(`There is no agent "${name}"`);
			for (const adapter of allAdapters()) expect(message).toContain(adapter.id);
		}
		expect(unwrapError(getAdapter(undefined, { default: 'nobody' })).message).toContain('"nobody"');
	});
});

describe('agent registry', () => {
	it.each(allAdapters().map((adapter) => [adapter.id, adapter] as const))('%s has a complete entry', (id, adapter) => {
		expect(KNOWN_AGENTS.find((known) => known.id === id)).toMatchObject({ title: adapter.title, program: adapter.program });
		for (const words of [adapter.instructionPath, adapter.traits.guard]) expect(words).toMatch(/\S/);
		expect(adapter.traits.verifiesBeacon).toBe(adapter.requiresBeaconVerification?.() === true);
		expect(adapter.traits.connects !== null).toBe(adapter.connect !== undefined);
		expect(adapter.traits.connects?.argv ?? []).not.toContain(adapter.program);
	});

	it.each(allAdapters().map((adapter) => [adapter.id, adapter] as const))(
		'%s starts the given program, or by default the one with its name',
		(_, adapter) => {
			const opts = { model: 'sonnet', permissionMode: 'ask', cwd: '/', env: {} } as const;
			const named = adapter.buildSpawnCommand(opts);
			expect(named).toMatch(new RegExp(`^${adapter.program} `));
			const found = adapter.buildSpawnCommand({ ...opts, program: ['/a b/x', '$y'] });
			expect(found).toBe(named.replace(adapter.program, () => "'/a b/x' '$y'"));
		},
	);

	it('matches the list of agents on the command line', () => {
		for (const { id, title, once } of AGENT_NAMES) {
			const kind = findKind(id);
			expect([id, kind?.known.title, kind?.observed !== null]).toEqual([id, title, once !== null]);
			expect([id, kind?.known.observed !== null]).toEqual([id, once !== null]);
			expect([id, kind?.observed?.protocol.capabilities.agent]).toEqual([id, once === null ? undefined : id]);
		}
	});

	it('has a guard program for exactly the agents with a canary', () => {
		const guarded = AGENT_KINDS.filter(({ canary }) => canary !== null).map(({ known }) => known.id);
		expect(guarded.length).toBeGreaterThan(0);
		expect([...GUARD_WIRES.keys()]).toEqual(guarded);
	});

	it.each(KNOWN_AGENTS.map((known) => [known.id, known] as const))(
		'has a minimum version for %s and reads no version from unrelated output',
		(_, { version, oldest }) => {
			expect(oldest).toMatch(/^\d+\.\d+\.\d+$/);
			for (const other of ['no version here', 'git version 2.39.5', '']) expect(version.exec(other)).toBeNull();
		},
	);
});
