// One turn of a driven Pi: marks and sends the prompt, steers, interrupts, and ends when Pi has settled.
import type { ModelChoice, OutgoingPrompt } from '@roost/core/runtime/connection';
import { z } from 'zod';
import type { PiConfig } from '../kind/agent-kind.ts';
import type { LiveContext } from '../live/live-agent.ts';
import type { TurnEnd } from '../live/turns.ts';
import type { PiAsks } from './asks.ts';
import type { PiEvents } from './events.ts';
import { SENT_COMMAND } from './extension/shared.ts';
import type { PiRecord } from './records.ts';
import type { PiRpc } from './rpc.ts';
import { toMark } from './session-files.ts';
import { expandModel } from './start-argv.ts';

const streaming = z.object({ isStreaming: z.boolean() });
const models = z.object({ models: z.array(z.object({ provider: z.string(), id: z.string() })) });

export function createPiTurn(deps: {
	live: Pick<LiveContext, 'reporter' | 'turns'>;
	rpc: PiRpc;
	events: PiEvents;
	asks: PiAsks;
}) {
	const { rpc, events, asks } = deps;
	const { reporter, turns } = deps.live;
	let isStopping = false;
	/** A late event of one turn must not end the next. */
	let current = 0;
	let steering: readonly string[] = [];
	/** An interrupt waits for it. */
	let sending: Promise<void> = Promise.resolve();

	function endTurn(number: number, how: TurnEnd): void {
		if (number === current) turns.end(how);
	}

	async function send(prompt: OutgoingPrompt, number: number): Promise<void> {
		await rpc.ask({ type: 'prompt', message: `/${SENT_COMMAND} ${toMark(prompt)}` });
		const sent = await rpc.ask({ type: 'prompt', message: toMessage(prompt.text) });
		if (!sent.ok) endTurn(number, { type: 'failed', error: 'not_taken', why: `Pi rejected the prompt: ${sent.error.message}` });
		// A command of an extension is finished by then, without a turn.
		else if (prompt.text.startsWith('/') && !(await isAtWork())) endTurn(number, { type: 'completed' });
	}

	async function isAtWork(): Promise<boolean> {
		const reported = await rpc.ask({ type: 'get_state' });
		return reported.ok && (streaming.safeParse(reported.value).data?.isStreaming ?? true);
	}

	/** Steering that came too late becomes the next prompt of the turn. */
	async function sendSteering(): Promise<void> {
		const [text = '', ...others] = steering;
		await rpc.ask({ type: 'clear_queue' });
		const sent = await rpc.ask({ type: 'prompt', message: toMessage([text, ...others].join('\n\n')) });
		if (!sent.ok) turns.end(events.end(isStopping));
	}

	return {
		begin(prompt: OutgoingPrompt): void {
			isStopping = false;
			events.begin();
			current += 1;
			sending = send(prompt, current);
		},
		async steer(prompt: OutgoingPrompt): Promise<boolean> {
			await rpc.ask({ type: 'prompt', message: `/${SENT_COMMAND} ${toMark(prompt)}` });
			const steered = await rpc.ask({ type: 'steer', message: toMessage(prompt.text) });
			if (steered.ok && turns.isBusy()) return true;
			// The turn has ended: the message would wait unnoticed for the next one.
			await rpc.ask({ type: 'clear_queue' });
			return false;
		},
		async interrupt(): Promise<void> {
			const stopped = current;
			isStopping = true;
			asks.abandon();
			await sending;
			await rpc.ask({ type: 'clear_queue' });
			await rpc.ask({ type: 'abort' });
			// Pi settles before it replies, unless there was nothing to stop.
			endTurn(stopped, { type: 'interrupted' });
		},
		async setModel(model: string, config: PiConfig): Promise<boolean> {
			const wanted = await findModel(rpc, expandModel(model, config));
			const set = wanted && (await rpc.ask({ type: 'set_model', provider: wanted.provider, modelId: wanted.id }));
			if (set?.ok) reporter.report('PostModelSwitch', { to_model: `${wanted?.provider}/${wanted?.id}` });
			else reporter.fail({ code: 'bad_request', message: `Pi has no model "${model}": "pi --list-models" shows those it has.` });
			return set?.ok ?? false;
		},
		async models(config: PiConfig): Promise<ModelChoice | null> {
			const known = await readModels(rpc);
			if (known.length === 0) return null;
			const names = known.map(({ provider, id }) => `${provider}/${id}`);
			return { names, has: (name) => isNamed(known, expandModel(name, config)) };
		},
		receive(record: PiRecord): void {
			if (record.type === 'queue') steering = record.steering;
			if (record.type !== 'settled') return;
			events.answered(undefined);
			if (steering.length > 0 && !isStopping) void sendSteering();
			else turns.end(events.end(isStopping));
		},
	};
}

/** Pi would take it for a command of Roost. */
function toMessage(text: string): string {
	return text.startsWith('/roost-') ? ` ${text}` : text;
}

type Model = { provider: string; id: string };

/** Pi needs both the provider and the id. */
async function findModel(rpc: PiRpc, name: string): Promise<Model | undefined> {
	const slash = name.indexOf('/');
	if (slash > 0) return { provider: name.slice(0, slash), id: name.slice(slash + 1) };
	return (await readModels(rpc)).find(({ id }) => id === name);
}

/** Of providers with a key. */
async function readModels(rpc: PiRpc): Promise<readonly Model[]> {
	const reported = await rpc.ask({ type: 'get_available_models' });
	const known = reported.ok ? models.safeParse(reported.value) : undefined;
	return known?.data?.models ?? [];
}

/** A name may end with the thinking level: `provider/model:high`. */
function isNamed(known: readonly Model[], name: string): boolean {
	const plain = name.replace(/:[a-z]+$/, '');
	return known.some(({ provider, id }) => [id, `${provider}/${id}`].some((own) => own === name || own === plain));
}
