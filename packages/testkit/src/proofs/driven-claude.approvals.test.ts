// Calls of a driven Claude are decided over the API: by people, by rules of each scope, and by its permission mode.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { type Block, callTool, message, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { createSecondProject, type DrivenClaude, openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import type { SessionStory } from '../rigs/runner/session-story.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { COLOURS } from '../samples/colours.ts';

const DEADLINE_MS = 180_000;

describe('call of a driven Claude', () => {
	it(
		'runs as approved, or is denied with the given message',
		async () => {
			await using rig = await openDrivenClaude({ script: obey });
			// Questions are available although they are not listed.
			const session = await rig.start({ allowedTools: ['Bash'] });
			await session.send('touch once');
			expect(await session.asked()).toMatchObject({
				kind: 'permission',
				tool: 'Bash',
				input: { command: 'touch once' },
			});
			await session.decide('allow');
			await session.until('run.end');
			expect(isMade(rig, 'once')).toBe(true);

			await session.send('touch once-more');
			await session.decide('deny', { denyMessage: 'not before lunch' });
			await session.until('run.end', 2);
			expect([isMade(rig, 'once-more'), lastResults(rig)]).toEqual([false, expect.stringContaining('not before lunch')]);

			await session.send('touch wrong');
			await session.decide('allow', { modifiedInput: { command: 'touch right', description: 'another file' } });
			await session.until('run.end', 3);
			expect([isMade(rig, 'wrong'), isMade(rig, 'right')]).toEqual([false, true]);
			expect((await session.of('tool.post')).at(-1)?.data.tool_input).toMatchObject({ command: 'touch right' });

			await session.send('question');
			const { id: askId, nonce, kind } = await session.asked();
			expect(kind).toBe('question');
			unwrap(await rig.api.asks.answer({ id: session.id, askId, nonce, answers: { 'Which colour?': 'Blue' } }));
			await session.until('run.end', 4);
			expect(lastResults(rig)).toContain('Blue');

			await session.send('touch halted');
			await session.decide('deny', { interrupt: true });
			expect((await session.until('run.end', 5)).data.status).toBe('aborted');
			expect(isMade(rig, 'halted')).toBe(false);
			expect(await decisions(session)).toEqual(['allow user', 'deny user', 'allow user', 'deny user']);
		},
		DEADLINE_MS,
	);

	it(
		'is decided by an earlier "always" for the session, the project or the user',
		async () => {
			await using rig = await openDrivenClaude({ script: obey });
			const elsewhere = await createSecondProject(rig.claude);
			const first = await rig.start();
			for (const scope of ['session', 'project', 'user'] as const) {
				await first.send(`touch ${scope}-1`);
				await first.decide('allow', { persist: true, scope, rule: { tool: 'Bash', argsPattern: `touch ${scope}-*` } });
				await first.until('run.end', (await first.of('run.start')).length);
				await first.say(`touch ${scope}-2`);
				expect(isMade(rig, `${scope}-2`)).toBe(true);
			}
			expect(await decisions(first)).toEqual(Array.from({ length: 3 }, () => ['allow user', 'allow rule']).flat());

			const [here, there] = [await rig.start(), await rig.start({ projectId: elsewhere })];
			await here.say('touch user-3');
			await here.say('touch project-3');
			expect(await decisions(here)).toEqual(['allow rule', 'allow rule']);
			await here.send('touch session-3');
			await here.asked();
			await there.say('touch user-3');
			expect(isMade(rig, 'user-3', elsewhere)).toBe(true);
			await there.send('touch project-3');
			await there.asked();
			expect([isMade(rig, 'session-3'), isMade(rig, 'project-3', elsewhere)]).toEqual([false, false]);
		},
		DEADLINE_MS,
	);

	it(
		'follows the permission mode of its session, but a deny rule always wins',
		async () => {
			await using rig = await openDrivenClaude({ script: obey, env: { IS_SANDBOX: '1' } });
			const deny = { decision: 'deny', tool: 'Bash', argsPattern: 'touch forbidden*', scope: 'user' } as const;
			unwrap(await rig.api.rules.add(deny));
			unwrap(await rig.api.rules.add({ ...deny, decision: 'allow', argsPattern: 'touch allowed*' }));
			const modes = ['bypassPermissions', 'dontAsk', 'plan', 'acceptEdits'] as const;
			const [bypass, silent, plan, edits] = await Promise.all(modes.map((permissionMode) => rig.start({ permissionMode })));
			if (!bypass || !silent || !plan || !edits) throw new Error('one for each mode');

			await Promise.all([
				bypass.say('touch unasked').then(() => bypass.say('touch forbidden-1')),
				silent.say('touch nobody').then(() => silent.say('touch allowed-1')),
				plan.say('write planned').then(() => plan.say('touch allowed-2')),
				edits.say('write edited').then(() => edits.say('touch forbidden-2')),
			]);
			const made = ['unasked', 'forbidden-1', 'nobody', 'allowed-1', 'planned', 'allowed-2', 'edited', 'forbidden-2'];
			expect(made.map((file) => isMade(rig, file))).toEqual([true, false, false, true, false, false, true, false]);
			expect(unwrap(await rig.api.asks.list())).toEqual([]);
			await edits.send('npm --version');
			expect(await edits.asked()).toMatchObject({ tool: 'Bash', input: { command: 'npm --version' } });
			const passed = (mode: string) => ({
				decision_type: 'allow',
				decided_by: 'system',
				reason: `permission mode ${mode} allows this without asking`,
			});
			const decided = async (session: SessionStory) => (await session.of('permission.decision')).map(({ data }) => data);
			const denied = { decision_type: 'deny', decided_by: 'rule' };
			expect(await decided(bypass)).toMatchObject([passed('bypassPermissions'), denied]);
			expect(await decided(edits)).toMatchObject([passed('acceptEdits'), denied]);
			await plan.say('ls');
			expect((await decided(plan)).at(-1)).toMatchObject(passed('plan'));
			expect((await plan.row()).drive).toMatchObject({ permission_mode: 'plan' });
		},
		DEADLINE_MS,
	);

	it(
		'is denied when its ask times out, and the run completes',
		async () => {
			await using rig = await openDrivenClaude({ script: obey, config: { sdk: { approvalTimeoutMs: 300 } } });
			const session = await rig.start({ prompt: 'touch late' });
			expect((await session.until('run.end')).data.status).toBe('completed');
			expect([isMade(rig, 'late'), await decisions(session)]).toEqual([false, ['deny timeout']]);
			expect(unwrap(await rig.api.asks.list({ all: true }))).toMatchObject([{ state: 'expired' }]);
			expect(lastResults(rig)).toContain('nobody answered in time');
		},
		DEADLINE_MS,
	);
});

/** Does what the prompt says, then says "done". */
const obey: Script = ({ lastUserText, toolResults }) =>
	message(toolResults.length > 0 ? [say('done')] : [toCall(lastUserText.split('\n').at(-1) ?? '')]);

function toCall(wish: string): Block {
	if (wish === 'question') return callTool('AskUserQuestion', { questions: COLOURS });
	if (wish.startsWith('write ')) return callTool('Write', { file_path: wish.slice('write '.length), content: 'x' });
	return callTool('Bash', { command: wish, description: 'as it was said' });
}

function isMade({ claude }: DrivenClaude, file: string, project: ProjectId | string = claude.project): boolean {
	return existsSync(join(project, file));
}

function lastResults({ claude }: DrivenClaude): string {
	return JSON.stringify(claude.requests.at(-1)?.toolResults);
}

async function decisions(session: SessionStory): Promise<string[]> {
	return (await session.of('permission.decision')).map(({ data }) => `${data.decision_type} ${data.decided_by}`);
}
