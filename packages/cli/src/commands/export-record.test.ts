// An exported session can be verified without its original record.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createRecordedHome } from '@roost/testkit/rigs/runner/recorded-home';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { exportRecord } from './export-record.ts';

describe('session export', () => {
	it('writes the session, the head of its chain and every line, readable by the owner only', async () => {
		await using world = await createRecordedHome({ events: 1_201 });
		const out = join(world.path, 'out.jsonl');
		expect(unwrap(await exportRecord({ session: 'k3f9', out, env: world.env }))).toEqual({ events: 1_201, path: out });
		const [head = '', ...lines] = readFileSync(out, 'utf8').trimEnd().split('\n');
		expect(JSON.parse(head)).toMatchObject({ export: 1, session: { id: 'k3f9' }, events: 1_201, head: world.head });
		expect(world.head).toMatch(/^[0-9a-f]{64}$/);
		expect(lines).toEqual(world.lines);
		expect(statSync(out).mode & 0o777).toBe(0o600);
	});

	it('never replaces a file, and rejects an unknown session', async () => {
		await using world = await createRecordedHome({ events: 1_201 });
		const out = join(world.path, 'out.jsonl');
		await exportRecord({ session: 'k3f9', out, env: world.env });
		const before = readFileSync(out, 'utf8');
		expect(unwrapError(await exportRecord({ session: 'k3f9', out, env: world.env })).message).toContain('name a new file');
		expect(readFileSync(out, 'utf8')).toBe(before);
		expect(unwrapError(await exportRecord({ session: 'none', env: world.env })).code).toBe('not_found');
	});
});
