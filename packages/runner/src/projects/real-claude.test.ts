// Past sessions of the real claude are found, listed, opened and resumed.
import { join } from 'node:path';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { apiError, callTool, say } from '@roost/testkit/fakes/model-reply';
import { scriptAgents } from '@roost/testkit/fakes/script';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { goldenText, toGoldenText } from '@roost/testkit/rigs/record/feed-golden';
import { createTestProjects } from '@roost/testkit/rigs/runner/test-engine';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openProjects } from './project-catalog.ts';

const GOLDEN = join(import.meta.dirname, 'golden', 'past-session.txt');
const SCOUT = { description: 'Look', prompt: 'SCOUT the folder', subagent_type: 'general-purpose', run_in_background: false };

describe('sessions of the real claude', () => {
	it('are found by folder, opened with all events, and can be resumed', { timeout: 120_000 }, async () => {
		await using claude = await openClaudeRig({
			script: scriptAgents({
				main: [
					[say('I will look.'), callTool('Bash', { command: 'echo hello', description: 'Greet' })],
					[callTool('Bash', { command: 'exit 3', description: 'Fail' })],
					[callTool('Agent', SCOUT)],
					[say('There is a README.')],
					apiError(400, 'invalid_request_error', 'no more'),
				],
				subagents: { SCOUT: [[callTool('Bash', { command: 'ls', description: 'List' })], [say('One file.')]] },
			}),
		});
		const id = '5f0c8f7e-0000-4000-8000-00000000000a';
		const run = (...args: string[]) =>
			claude.run(['-p', '--permission-mode', 'bypassPermissions', ...args], { timeoutMs: 60_000, env: { IS_SANDBOX: '1' } });
		expect(await run(`--session-id=${id}`, 'What is here?')).toMatchObject({ code: 0, stdout: 'There is a README.\n' });

		const { identify } = createTestProjects();
		await using catalog = openProjects({
			home: { projects: join(claude.home, 'projects.json') },
			config: { projects: { roots: [], scanClaudeProjects: true, excludePatterns: [] } },
			env: claude.env,
			identify,
			warn: (sentence) => expect.fail(sentence),
		});
		catalog.scan();
		await waitFor(() => catalog.list().scannedAt ?? undefined, { what: 'the end of the scan' });
		const [project] = catalog.list().projects;
		expect(project).toMatchObject({
			projectId: identify(claude.project).id,
			path: claude.project,
			pastSessions: 1,
			isDirty: false,
		});
		if (!project) return;

		const listed = unwrap(await catalog.pastSessions(project.id));
		expect(listed.sessions).toMatchObject([
			{ agent: 'claude', nativeId: id, title: 'What is here?', toolCalls: 3, cwd: claude.project, resumable: true },
		]);
		const feed = async (): Promise<FeedEvent[]> =>
			unwrap(await catalog.pastEvents(project.id, id, { after: 0, limit: 1_000 })).events.map(({ event }) => event);
		const golden = toGoldenText(await feed());
		expect(golden).toBe(goldenText(GOLDEN, golden));

		const resumable = unwrap(await catalog.findResumable(id));
		expect(resumable).toEqual({ agent: 'claude', nativeId: id, cwd: claude.project, title: 'What is here?' });
		await run(`--resume=${resumable.nativeId}`, 'And now?');
		expect((await feed()).filter(({ kind }) => kind === 'stop.failure')).toHaveLength(1);
	});
});
