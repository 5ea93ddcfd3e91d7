import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRecordedHome, type RecordedHome } from '@roost/testkit/rigs/runner/recorded-home';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { verifyExport } from './verify-record.ts';

const EVENTS = 12;

describe('verification of an exported session', () => {
	it('accepts an unchanged file, here and on a machine that never had the session', async () => {
		await using world = await openWorld();
		expect(await world.verify(world.text)).toMatchObject({
			intact: true,
			events: EVENTS,
			head: world.home.head,
			isOnRecord: true,
		});
		await using elsewhere = await createTempDir();
		const proof = unwrap(await verifyExport({ ROOST_HOME: elsewhere.path }, world.path));
		expect(proof).toMatchObject({ intact: true, events: EVENTS, isOnRecord: false });
	});

	it.each([
		['a changed event', (lines: string[]) => lines.with(5, (lines[5] ?? '').replace('prompt', 'Prompt')), 'Event 5 differs'],
		['a dropped event', (lines: string[]) => lines.toSpliced(5, 1), 'Line 6 is not event 5'],
		['swapped events', (lines: string[]) => [...lines.slice(0, 5), lines[6] ?? '', lines[5] ?? '', ...lines.slice(7)], 'Line 6'],
		['a cut end', (lines: string[]) => lines.slice(0, 8), 'The header says 12 events, but the file has 7.'],
		['an added line', (lines: string[]) => [...lines, '{}'], 'Line 14 is not event 13'],
		['a line that is not JSON', (lines: string[]) => lines.with(3, '{'), 'Line 4 is not event 3'],
	])('reports %s', async (_, tamper, problem) => {
		await using world = await openWorld();
		const { intact, problems } = await world.verify(tamper(world.text.trimEnd().split('\n')).join('\n'));
		expect(intact).toBe(false);
		expect(problems.join('\n')).toContain(problem);
	});

	it('detects a change without the record, and one with an adjusted header only with the record', async () => {
		await using world = await openWorld();
		const changed = world.text.replaceAll('prompt', 'Prompt');
		await using elsewhere = await createTempDir();
		writeFileSync(world.path, changed);
		const proof = unwrap(await verifyExport({ ROOST_HOME: elsewhere.path }, world.path));
		expect(proof).toMatchObject({
			intact: false,
			problems: ['The events do not match the head in the header: the file was changed.'],
		});
		const fitted = changed.replace(world.home.head, proof.head);
		writeFileSync(world.path, fitted);
		expect(unwrap(await verifyExport({ ROOST_HOME: elsewhere.path }, world.path)).intact).toBe(true);
		expect(await world.verify(fitted)).toMatchObject({ intact: false });
	});

	it('rejects a file that is not an export, with a one-line error', async () => {
		await using world = await openWorld();
		expect(unwrapError(await verifyExport(world.home.env, join(world.home.path, 'none'))).message).toContain('cannot be read');
		expect(unwrapError(await verifyExport(world.home.env, world.home.path)).message).toContain('cannot be read');
		writeFileSync(world.path, 'hello\n');
		expect(unwrapError(await verifyExport(world.home.env, world.path)).message).toContain('Use a file that "roost export" wrote');
	});
});

async function openWorld() {
	const home: RecordedHome = await createRecordedHome({ events: EVENTS });
	const path = join(home.path, 'export.jsonl');
	const text = [JSON.stringify({ export: 1, session: { id: home.id }, events: EVENTS, head: home.head }), ...home.lines, ''].join(
		'\n',
	);
	writeFileSync(path, text);
	return {
		home,
		path,
		text: readFileSync(path, 'utf8'),
		async verify(changed: string) {
			writeFileSync(path, changed);
			return unwrap(await verifyExport(home.env, path));
		},
		[Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
	};
}
