// The wire of the parrot: its lines as events, Roost's requests as its lines.
import { parseJson } from '@roost/core/display/parse-json';
import type { DrivenRequest, OutgoingPrompt } from '@roost/core/runtime/connection';
import { USAGE_REPORT } from '@roost/core/runtime/event';
import { createUsageTally, tallyMessage, toUsageByModel } from '@roost/core/usage/tally';
import { type LineProcess, type ProcessEnd, startLineProcess } from '@roost/machine/line-process';
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { LiveCall } from '../live/gate.ts';
import type { DriveDeps, LiveContext, Opened, Wire } from '../live/live-agent.ts';

const count = z.number().nonnegative();

const line = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready'), session: z.string() }),
	z.object({ type: z.literal('word'), message: z.number(), text: z.string() }),
	z.object({ type: z.literal('wants'), id: z.string(), command: z.string() }),
	z.object({ type: z.literal('ran'), id: z.string(), output: z.string(), ok: z.boolean() }),
	z.object({ type: z.literal('used'), model: z.string(), input: count, cached: count, output: count }),
	z.object({ type: z.literal('done'), how: z.enum(['finished', 'stopped', 'failed']), why: z.string().optional() }),
]);
type Line = z.infer<typeof line>;

export function connectParrot(
	request: DrivenRequest,
	{ command, env }: Pick<DriveDeps, 'command' | 'env'>,
	live: LiveContext,
): Wire {
	const { reporter, messages, turns, calls, gate } = live;
	const opened = Promise.withResolvers<Result<Opened>>();
	const used = createUsageTally();
	let parrot: LineProcess | undefined;

	function receive(text: string): void {
		const parsed = line.safeParse(parseJson(text));
		// Unknown lines are recorded as they came.
		if (parsed.success) observe(parsed.data);
		else reporter.relay('ParrotLine', { line: text });
	}

	function observe(received: Line): void {
		switch (received.type) {
			case 'ready':
				opened.resolve(ok({ nativeId: received.session, model: 'parrot-1' }));
				break;
			case 'word':
				messages.add(`message-${received.message}`, received.text);
				break;
			case 'wants':
				messages.breakOff();
				void permit(toCall(received));
				break;
			case 'ran':
				ran(received);
				break;
			case 'used':
				tally(received);
				break;
			case 'done':
				done(received);
				break;
			default:
				assertNever(received);
		}
	}

	/** The parrot waits for the decision. */
	async function permit(call: LiveCall): Promise<void> {
		const verdict = await gate.permit(call);
		const isChanged = verdict.type === 'allow' && verdict.updatedInput !== undefined;
		if (isChanged)
			reporter.fail({ code: 'bad_request', message: 'A parrot does not run another command than the one it asked for.' });
		const yes = verdict.type === 'allow' && !isChanged;
		send({
			type: 'may',
			id: call.tool_use_id,
			yes,
			why: verdict.type === 'deny' ? verdict.message : 'Roost cannot change a call.',
		});
		if (!yes) calls.observe('PostToolUseFailure', { ...call });
	}

	function ran({ id, output, ok: hasWorked }: Extract<Line, { type: 'ran' }>): void {
		const call = calls.find(id);
		calls.observe('PostToolUse', { tool_use_id: id });
		if (!call) return;
		if (hasWorked) reporter.report('PostToolUse', { ...call, tool_response: output });
		else reporter.report('PostToolUseFailure', { ...call, error: output });
	}

	function tally({ model, input, cached, output }: Extract<Line, { type: 'used' }>): void {
		const usage = { input_tokens: input, output_tokens: output, cache_read_tokens: cached, cache_write_tokens: 0 };
		tallyMessage(used, { model, usage });
		reporter.report(USAGE_REPORT, { by_model: toUsageByModel(used) });
	}

	function done({ how, why = 'The parrot did not say why.' }: Extract<Line, { type: 'done' }>): void {
		if (how === 'finished') turns.end({ type: 'completed' });
		else if (how === 'stopped') turns.end({ type: 'interrupted' });
		else turns.end({ type: 'failed', error: 'model_error', why });
	}

	function gone(end: ProcessEnd): void {
		const why = end.type === 'exit' ? parrot?.complaint() || `it ended (${end.signal ?? end.code})` : end.message;
		opened.resolve(err(new AppError('cannot_start', `The parrot did not start: ${why}.`)));
		live.finish(`The parrot is gone: ${why}.`);
	}

	function send(message: object): void {
		parrot?.write(JSON.stringify(message));
	}

	return {
		open() {
			parrot = startLineProcess({
				argv: command,
				env: env(request.session ?? ''),
				cwd: request.cwd,
				timers: live.timers,
				onSpawned: request.onSpawned,
				onLine: receive,
				onOversize: (head) =>
					reporter.fail({ code: 'too_large', message: 'The parrot wrote a line that is too long.', detail: head }),
				onEnd: gone,
			});
			return opened.promise;
		},
		prompt: ({ id, text }: OutgoingPrompt) => send({ type: 'prompt', id, text }),
		steer: async () => false,
		interrupt: async () => send({ type: 'stop' }),
		models: async () => null,
		async setModel() {
			reporter.fail({ code: 'bad_request', message: 'A parrot has only one model.' });
			return false;
		},
		modeChanged: () => {},
		end: (graceMs) => parrot?.end(graceMs),
	};
}

function toCall({ id, command }: Extract<Line, { type: 'wants' }>): LiveCall {
	return { tool_use_id: id, tool_name: 'Bash', tool_input: { command }, native_tool_name: 'shell' };
}
