import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { allKinds, getRuntime } from './registry.ts';

describe('an agent', () => {
	it('is the one that was named, else the configured one, else Claude', () => {
		for (const { runtime } of allKinds()) {
			expect(unwrap(getRuntime(runtime.id, { default: 'nobody' })).id).toBe(runtime.id);
			expect(unwrap(getRuntime(undefined, { default: runtime.id })).id).toBe(runtime.id);
		}
		expect(unwrap(getRuntime(undefined)).id).toBe('claude');
		expect(unwrap(getRuntime(undefined, {})).id).toBe('claude');
	});

	it('that there is not is refused with those that there are', () => {
		for (const name of ['nobody', '', '__proto__', 'constructor']) {
			const { code, message } = unwrapError(getRuntime(name));
			expect(code).toBe('bad_request');
			expect(message).toContain(`There is no agent "${name}"`);
			for (const { runtime } of allKinds()) expect(message).toContain(runtime.id);
		}
		expect(unwrapError(getRuntime(undefined, { default: 'nobody' })).message).toContain('"nobody"');
	});
});

describe('every row', () => {
	it.each(allKinds().map((kind) => [kind.runtime.id, kind] as const))('%s is whole', (id, { runtime, oldest, version }) => {
		expect(runtime.id).toBe(id);
		for (const words of [runtime.title, runtime.program, runtime.instructionPath, runtime.traits.guard])
			expect(words).toMatch(/\S/);
		expect(oldest).toMatch(/^\d+\.\d+\.\d+$/);
		expect(version.exec('no version here')).toBeNull();
		expect(runtime.traits.verifiesBeacon).toBe(runtime.requiresBeaconVerification?.() === true);
		expect(runtime.traits.connects !== null).toBe(runtime.connect !== undefined);
	});
});
