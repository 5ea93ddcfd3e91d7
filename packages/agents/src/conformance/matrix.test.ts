import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { KNOWN_AGENTS } from '../kinds.ts';
import { readMatrix } from './matrix.ts';

describe('conformance matrix', () => {
	it('is read with the outcome of each cell', async () => {
		await using temp = await createTempDir();
		const cells = { start: { outcome: 'pass' }, edit: { outcome: 'unsupported', reason: 'it takes no other input' } };
		const place = pathToFileURL(join(temp.path, 'matrix.json'));
		await writeFile(place, JSON.stringify({ agents: { codex: { version: '1.2.3', cells } } }));
		expect(readMatrix(place).agents.codex).toMatchObject({ version: '1.2.3', cells });
	});

	it('is empty if the file is missing, and throws if an outcome is invalid', async () => {
		await using temp = await createTempDir();
		const place = pathToFileURL(join(temp.path, 'matrix.json'));
		expect(readMatrix(place)).toEqual({ columns: [], agents: {} });
		await writeFile(place, '{"agents":{"codex":{"version":"1","cells":{"start":{"outcome":"maybe"}}}}}');
		expect(() => readMatrix(place)).toThrow('outcome');
	});

	it('lists only known agents in this repository', () => {
		const known = KNOWN_AGENTS.map(({ id }) => id);
		for (const agent of Object.keys(readMatrix().agents)) expect([...known, 'acp']).toContain(agent);
	});
});
