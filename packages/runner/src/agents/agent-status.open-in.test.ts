import { join } from 'node:path';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { createOpenIn } from './agent-status.ts';

const { pid } = process;

describe('processes that have a conversation open', () => {
	it('are found in the home of the user and in the configured home of claude', async () => {
		await using temp = await createTempDir();
		await putFiles(temp.path, {
			[`.claude/sessions/${pid}.json`]: { pid, sessionId: 'by-hand' },
			[`configured/.claude/sessions/${pid}.json`]: { pid, sessionId: 'configured' },
		});
		const agents = { claude: { env: { HOME: join(temp.path, 'configured') } } };
		const openIn = createOpenIn({ env: { HOME: temp.path }, agents });
		expect(await openIn('claude', 'by-hand')).toEqual([pid]);
		expect(await openIn('claude', 'configured')).toEqual([pid]);
		expect(await openIn('claude', 'other')).toEqual([]);
		expect(await openIn('codex', 'by-hand')).toEqual([]);
	});
});
