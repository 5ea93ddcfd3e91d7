// A connection to a running ACP process instead of its terminal. Permission requests are denied: there is no user to ask.
import type { AnyMessage } from '@agentclientprotocol/sdk';
import { createLineFramer } from '@roost/machine/lines';
import { isJsonObject } from '../base/json-object.ts';
import type { ConnectionState, RpcProcessHandle, RuntimeConnection } from '../base/types.ts';
import { toNormalCall } from './acp-calls.ts';
import { answerPermission, CANCELLED, permissionRequest, promptAnswer, session, toolCall } from './acp-messages.ts';
import { parseMessage } from './acp-session.ts';

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NOBODY = { type: 'deny', message: 'There is no user to ask.' } as const;

export function connectAcp(process: RpcProcessHandle): RuntimeConnection {
	const running = new Map<string, string>();
	/** Prompts in progress. */
	let pending = 0;
	let hasFailed = false;
	/** Why the connection is unusable. */
	let gone: string | undefined;
	const reader = process.stdout.getReader();
	const opened = open();
	// Reported to the caller of a prompt.
	opened.catch(() => {});

	async function open() {
		const sdk = await import('@agentclientprotocol/sdk');
		const { agent } = sdk
			.client({ name: 'roost' })
			.onRequest('*', ({ method, params }) => {
				if (method !== sdk.methods.client.session.requestPermission) throw sdk.RequestError.methodNotFound(method);
				const asked = permissionRequest.safeParse(params);
				return asked.success ? answerPermission(NOBODY, asked.data.options).answer : CANCELLED;
			})
			.onNotification('*', ({ params }) => observe(params))
			.connect({ readable: readMessages(reader, () => leave('The agent has ended.')), writable: new WritableStream({ write }) });
		await agent.request<unknown>('initialize', { protocolVersion: 1, clientCapabilities: {} });
		const begun = session.parse(
			await agent.request<unknown>('session/new', { cwd: process.cwd ?? globalThis.process.cwd(), mcpServers: [] }),
		);
		return { agent, sessionId: begun.sessionId ?? '' };
	}

	async function write(message: AnyMessage): Promise<void> {
		await process.stdin.write(`${JSON.stringify(message)}\n`);
	}

	function leave(why: string): void {
		gone ??= why;
		hasFailed = true;
	}

	function observe(params: unknown): void {
		const news = isJsonObject(params) ? toolCall.safeParse(params.update) : undefined;
		if (!news?.success) return;
		const { toolCallId, status, kind, title } = news.data;
		if (status === 'completed' || status === 'failed') running.delete(toolCallId);
		else if (kind !== undefined && title !== undefined)
			running.set(toolCallId, toNormalCall({ ...news.data, kind, title }).tool_name);
	}

	/** One turn at a time. */
	let last: Promise<void> = Promise.resolve();
	async function prompt(text: string): Promise<void> {
		const { agent, sessionId } = await opened;
		if (gone !== undefined) throw new Error(gone);
		pending++;
		last = last.then(async () => {
			try {
				const answer = promptAnswer.parse(
					await agent.request<unknown>('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
				);
				hasFailed = gone !== undefined || (answer.stopReason !== 'end_turn' && answer.stopReason !== 'cancelled');
			} catch {
				// Visible in `getState`: the caller does not wait for the end of a turn.
				hasFailed = true;
			}
			pending--;
			running.clear();
		});
	}

	return {
		sendPrompt: prompt,
		followUp: prompt,
		async abort() {
			const { agent, sessionId } = await opened;
			await agent.notify('session/cancel', { sessionId });
		},
		async getState(): Promise<ConnectionState> {
			const currentTool = [...running.values()].at(-1);
			if (pending > 0) return { status: 'working', ...(currentTool === undefined ? {} : { currentTool }) };
			return { status: hasFailed ? 'error' : 'idle' };
		},
		close() {
			leave('The connection to the agent was closed.');
			void reader.cancel().catch(() => {});
		},
	};
}

/** Other output is skipped: programs also write text for people. */
function readMessages(reader: ReadableStreamDefaultReader<Uint8Array>, onEnd: () => void): ReadableStream<AnyMessage> {
	const framer = createLineFramer(MAX_LINE_BYTES);
	const toMessages = (bytes: Uint8Array) =>
		framer
			.push(bytes)
			.map((frame) => (frame.type === 'line' ? parseMessage(frame.text) : null))
			.filter((message) => message !== null);
	return new ReadableStream<AnyMessage>({
		async pull(controller) {
			const { value, done } = await reader.read();
			if (done) {
				onEnd();
				controller.close();
			} else for (const message of toMessages(value)) controller.enqueue(message);
		},
	});
}
