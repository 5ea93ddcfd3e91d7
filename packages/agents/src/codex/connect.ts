// A connection to a running Codex app-server instead of its terminal. Approval requests are declined: its guard is a hook.
import { realTimers } from '@roost/machine/timers';
import { readProcessLines } from '../base/process-lines.ts';
import type { ConnectionState, RpcProcessHandle, RuntimeConnection } from '../base/types.ts';
import { parseNotice, threadOpened } from './live/protocol.ts';
import { createRpcPeer, type RpcPeer } from './live/rpc-peer.ts';
import { createTurnState, turnErrorText } from './live/turn-state.ts';

export function connectCodex({ stdin, stdout }: RpcProcessHandle): RuntimeConnection {
	const state: { status: ConnectionState['status']; tool?: string | undefined } = { status: 'idle' };
	const turn = createTurnState();
	const peer = createRpcPeer({ write, timers: realTimers, onNotice: receive, onRequest: refuse });
	const reading = readProcessLines(stdout, (line) => void peer.take(line), leave);
	let thread: Promise<string> | undefined;

	function write(line: string): boolean {
		void Promise.resolve(stdin.write(`${line}\n`)).catch(leave);
		return true;
	}

	function receive(method: string, params: unknown): void {
		const notice = parseNotice(method, params);
		if (notice?.method === 'turn/started') turn.begun(notice.params.turn.id);
		if (notice?.method === 'item/started' && notice.params.item?.type === 'commandExecution') state.tool = 'Bash';
		if (notice?.method === 'item/completed') state.tool = undefined;
		if (notice?.method !== 'turn/completed') return;
		state.status = notice.params.turn.status === 'failed' ? 'error' : 'idle';
		state.tool = undefined;
		turn.ended();
	}

	/** After the end of the process or a broken pipe. */
	function leave(): void {
		peer.close();
		state.status = 'error';
		state.tool = undefined;
		turn.ended();
	}

	async function prompt(text: string): Promise<void> {
		thread ??= openThread(peer);
		const threadId = await thread;
		state.status = 'working';
		turn.starting();
		const started = await peer.request('turn/start', { threadId, input: [{ type: 'text', text, text_elements: [] }] });
		if (started.ok) return;
		state.status = 'error';
		turn.ended();
		throw new Error(`Codex rejected the prompt: ${turnErrorText(started.error)}`);
	}

	return {
		sendPrompt: prompt,
		followUp: prompt,
		async abort() {
			const turnId = await turn.known();
			if (turnId !== undefined && thread) await peer.request('turn/interrupt', { threadId: await thread, turnId });
		},
		async getState() {
			return { status: state.status, ...(state.tool === undefined ? {} : { currentTool: state.tool }) };
		},
		close() {
			leave();
			reading.cancel();
		},
	};
}

/** Declines every request. */
function refuse(...[, , , answer]: Parameters<Parameters<typeof createRpcPeer>[0]['onRequest']>): void {
	answer({ result: { decision: 'decline' } });
}

async function openThread(peer: RpcPeer): Promise<string> {
	const clientInfo = { name: 'roost', title: 'Roost', version: '0' };
	const greeted = await peer.request('initialize', { clientInfo, capabilities: { experimentalApi: true } });
	if (!greeted.ok) throw greeted.error;
	peer.notify('initialized');
	const opened = await peer.request('thread/start', { approvalPolicy: 'never' });
	if (!opened.ok) throw opened.error;
	return threadOpened.parse(opened.value).thread.id;
}
