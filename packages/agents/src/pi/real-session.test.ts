// Sessions of the real Pi, driven over its RPC: model failures, steering, interrupting, resuming and forking.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiError, hang, message, say } from '@roost/testkit/fakes/model-reply';
import { toPrompt } from '@roost/testkit/rigs/agents/driven-story';
import { openPiRig, type PiRig, piWords } from '@roost/testkit/rigs/agents/pi-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { isJsonObject, stringAt } from '../base/json-object.ts';

const DEADLINE_MS = 120_000;
const USAGE = {
	usage: { input_tokens: 1034, cache_read_input_tokens: 200, output_tokens: 56, output_tokens_details: { thinking_tokens: 7 } },
};
const ONE_CALL = { input_tokens: 1034, output_tokens: 56, cache_read_tokens: 200, cache_write_tokens: 0, reasoning_tokens: 7 };

const untilAsked = (rig: PiRig, count: number) =>
	waitFor(() => (rig.requests.length >= count ? true : undefined), { deadlineMs: DEADLINE_MS, what: 'the model to be asked' });

describe('driven session of the real Pi', () => {
	it(
		'survives model errors, rate limits and a silent model, and can be interrupted',
		async () => {
			let calls = 0;
			await using rig = await openPiRig({
				script: ({ lastUserText }) => {
					calls += 1;
					if (lastUserText === 'busy' && calls === 1) return apiError(529, 'overloaded_error', 'busy');
					if (lastUserText === 'unwilling') return apiError(400, 'invalid_request_error', 'I will not');
					if (lastUserText === 'limited') return apiError(429, 'rate_limit_error', 'slow down');
					return lastUserText === 'silent' ? hang() : message([say('fine')]);
				},
			});
			const { ask, connection, payloads, until, reported } = rig.start();
			expect((await ask('busy')).payload).toMatchObject({ last_assistant_message: 'fine' });
			expect(payloads('Notification')).toMatchObject([
				{
					message: 'The model answered with an error (529): busy. Trying again in 1 s (1 of 3).',
					notification_type: 'api_retry',
				},
			]);
			expect((await ask('unwilling')).payload).toMatchObject({
				error: 'api_error',
				last_assistant_message: 'The model answered with an error (400): I will not.',
			});
			expect(await connection.getState()).toEqual({ status: 'error' });
			expect((await ask('limited')).payload).toMatchObject({
				error: 'rate_limit',
				last_assistant_message: 'The model answered with an error (429): slow down.',
			});
			expect(reported('Notification')).toHaveLength(4);
			const before = rig.requests.length;
			await connection.followUp(toPrompt('silent'));
			await untilAsked(rig, before + 1);
			await connection.abort();
			expect((await until('Stop', 2)).payload).toMatchObject({ interrupted: true });
			expect((await ask('again')).payload).toMatchObject({ last_assistant_message: 'fine' });
			await connection.followUp(toPrompt('silent'));
			await connection.followUp(toPrompt('what waits goes on'));
			await connection.abort();
			expect((await until('Stop', 4)).payload).toMatchObject({ interrupted: true });
			expect((await until('Stop', 5)).payload).toMatchObject({ last_assistant_message: 'fine' });
			expect((await ask('/no-such-command but words')).hookName).toBe('Stop');
			expect((await ask('/roost-sent not a command of yours')).payload).toMatchObject({ last_assistant_message: 'fine' });
			expect(reported('SessionEnd')).toEqual([]);
		},
		DEADLINE_MS,
	);

	it(
		'can be steered in the middle of a turn, switched to another model and interrupted while asking',
		async () => {
			await using rig = await openPiRig({
				script: ({ lastUserText, toolResults }) =>
					message(
						lastUserText === 'work' && toolResults.length === 0
							? [piWords.shell('until [ -e go ]; do sleep 0.05; done')]
							: [say('fine')],
					),
			});
			const { connection, until, reported, ask, payloads } = rig.start({}, ({ hookName }) =>
				hookName === 'PreToolUse'
					? { verdict: { type: 'none' }, source: 'rule' }
					: reported('PermissionRequest').length > 1
						? undefined
						: { verdict: { type: 'allow' }, source: 'user' },
			);
			const [work, steering] = [toPrompt('work'), toPrompt('mind the gap')];
			await connection.sendPrompt(work);
			await until('PermissionRequest');
			await connection.control({ type: 'steer', prompt: steering });
			expect(payloads('UserPromptSubmit')).toMatchObject([{ prompt: 'work' }, { sent_as: steering.id, steers: true }]);
			await writeFile(join(rig.project, 'go'), '');
			const { sessionId: nativeId } = await until('Stop');
			expect(rig.requests[1]?.lastUserText).toBe('mind the gap');

			await connection.control({ type: 'model', model: 'other-model' });
			await ask('more');
			expect(rig.requests.at(-1)?.model).toBe('other-model');
			expect(payloads('PostModelSwitch')).toMatchObject([{ to_model: 'fake/other-model' }]);
			await connection.control({ type: 'model', model: 'fake/none' });
			expect(payloads('RuntimeError')).toMatchObject([
				{ code: 'bad_request', message: expect.stringContaining('pi --list-models') },
			]);

			await connection.sendPrompt(toPrompt('work'));
			await until('PermissionRequest', 2);
			await connection.abort();
			expect((await until('Stop', 3)).payload).toMatchObject({ interrupted: true });
			expect(payloads('PostToolUseFailure')).toHaveLength(1);
			connection.close();
			const holds = async (prompt: typeof work.id) => await rig.agent.hasPrompt({ nativeId, cwd: rig.project, prompt });
			expect(await Promise.all([work, steering, toPrompt('never sent')].map(({ id }) => holds(id)))).toMatchObject([
				{ value: true },
				{ value: true },
				{ value: false },
			]);
		},
		DEADLINE_MS,
	);

	it(
		'resumes with its usage after being killed while asking, and forks at an earlier message',
		async () => {
			await using rig = await openPiRig({
				script: ({ lastUserText, toolResults }) =>
					message(lastUserText === 'act' && toolResults.length === 0 ? [piWords.shell('touch made')] : [say('fine')], USAGE),
			});
			const pids: number[] = [];
			const first = rig.start({ onSpawned: (pid) => pids.push(pid) }, () => undefined);
			await first.ask('one');
			const shown = first.payloads('MessageDisplay').at(-1);
			const upTo = (isJsonObject(shown) && stringAt(shown, 'native_id')) || '';
			expect(upTo).toMatch(/^[0-9a-f]{8}$/);
			const act = toPrompt('act');
			await first.connection.followUp(act);
			await first.until('PreToolUse');
			process.kill(pids[0] ?? 0, 'SIGKILL');
			const { sessionId: nativeId } = await first.until('SessionEnd');
			expect(first.payloads('StopFailure')).toMatchObject([
				{ error: 'agent_ended', last_assistant_message: 'Pi ended (SIGKILL).' },
			]);
			expect(await rig.agent.hasPrompt({ nativeId, cwd: rig.project, prompt: act.id })).toMatchObject({ value: true });
			expect(existsSync(join(rig.project, 'made'))).toBe(false);

			const resumed = rig.start({ resume: { nativeId, fork: false } });
			const fork = rig.start({ resume: { nativeId, fork: true, upTo } });
			await Promise.all([resumed.ask('two'), fork.ask('three')]);
			expect(resumed.events.at(-1)?.sessionId).toBe(nativeId);
			expect(fork.events.at(-1)?.sessionId).not.toBe(nativeId);
			const words = (text: string) => JSON.stringify(rig.requests.find(({ lastUserText }) => lastUserText === text)?.messages);
			expect(['"one"', '"act"'].map((word) => words('two').includes(word))).toEqual([true, true]);
			expect(['"one"', '"act"'].map((word) => words('three').includes(word))).toEqual([true, false]);
			const times = (count: number) =>
				Object.fromEntries(Object.entries(ONE_CALL).map(([field, tokens]) => [field, tokens * count]));
			expect(resumed.payloads('UsageReport').at(-1)).toMatchObject({ by_model: { 'fake-model': times(3) } });
			expect(fork.payloads('UsageReport').at(-1)).toMatchObject({ by_model: { 'fake-model': times(1) } });
		},
		DEADLINE_MS,
	);

	it('explains why a conversation cannot be resumed, and starts a missing one anew if requested', async () => {
		await using rig = await openPiRig({ script: () => message([say('fine')]) });
		const nativeId = '00000000-0000-4000-8000-000000000000';
		const lost = rig.start({ resume: { nativeId, fork: false } });
		await lost.until('SessionEnd');
		expect(lost.payloads('StopFailure')).toMatchObject([
			{ last_assistant_message: expect.stringContaining('Pi keeps no conversation with the id') },
		]);
		const again = rig.start({ resume: { nativeId, fork: false, ifMissing: {} } });
		await again.ask('one');
		const begun = again.events.at(-1)?.sessionId ?? '';
		expect(begun).not.toBe(nativeId);
		again.connection.close();
		const astray = rig.start({ resume: { nativeId: begun, fork: true, upTo: 'ffffffff' } });
		const elsewhere = rig.start({ resume: { nativeId: begun, fork: false }, cwd: rig.home });
		await Promise.all([astray.until('SessionEnd'), elsewhere.until('SessionEnd')]);
		expect(astray.payloads('StopFailure')).toMatchObject([
			{ last_assistant_message: 'Pi knows no such message in this conversation.' },
		]);
		expect(elsewhere.payloads('StopFailure')).toMatchObject([
			{ last_assistant_message: `This conversation belongs to ${rig.project}: open it there.` },
		]);
	});

	it.each([
		[{ resume: { nativeId: '--help', fork: false } }, 'such an id is a UUID'],
		[{ resume: { nativeId: '../x', fork: false } }, 'such an id is a UUID'],
		[{ resume: { nativeId: '00000000-0000-4000-8000-000000000000', fork: true, upTo: 'x y' } }, 'not the id of a message'],
		[{ permissionMode: 'whatever' }, 'choose one of default, acceptEdits'],
		[{ model: '--version' }, 'is not the name of a model'],
	])('does not start with %j, and explains why', async (request, why) => {
		await using rig = await openPiRig({ script: () => message([say('fine')]) });
		const pids: number[] = [];
		const { events, payloads, runtime } = rig.start({ ...request, onSpawned: (pid) => pids.push(pid) });
		expect(events.map(({ hookName }) => hookName)).toEqual(['SessionStart', 'StopFailure', 'SessionEnd']);
		expect(payloads('StopFailure')).toMatchObject([{ last_assistant_message: expect.stringContaining(why) }]);
		expect(runtime.getStatus()).toBe('stopped');
		expect(pids).toEqual([]);
	});
});
