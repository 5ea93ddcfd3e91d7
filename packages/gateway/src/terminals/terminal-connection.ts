// One client of a terminal: translates between its frames and its viewer.
import { type TerminalClientFrame, type TerminalServerFrame, terminalClientFrame } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import type { TerminalId } from '@roost/protocol/ids';
import { err, type Result } from '@roost/protocol/result';
import { parseBoundedJson } from '../http/bounded-json.ts';
import { toWireError } from '../http/errors.ts';
import type { GatewayLimits } from '../http/limits.ts';
import { parse } from '../operations/api.ts';
import type { TerminalScreens, TerminalSink, TerminalViewer } from '../operations/backend.ts';

export type TerminalConnection = {
	receive(message: Buffer, isBinary: boolean): void;
	/** The client disconnected. */
	leave(how: 'lost' | 'left'): void;
};

export type TerminalWire = {
	text(frame: string): void;
	bytes(bytes: Uint8Array): void;
	close(code: number, reason: string): void;
};

export type TerminalConnectionDeps = { screens: TerminalScreens; id: TerminalId; limits: GatewayLimits; wire: TerminalWire };

type Attach = Extract<TerminalClientFrame, { type: 'attach' }>;

export function createTerminalConnection({ screens, id, limits, wire }: TerminalConnectionDeps): TerminalConnection {
	let viewer: TerminalViewer | undefined;
	let badFrames = 0;

	function send(frame: TerminalServerFrame): void {
		wire.text(JSON.stringify(frame));
	}

	function receive(message: Buffer, isBinary: boolean): void {
		if (!isBinary) {
			const frame = readFrame(message.toString(), limits.jsonDepth);
			if (frame.ok) take(frame.value);
			else refuse(frame.error);
		} else if (viewer) viewer.input(message);
		else refuse(notAttached());
	}

	function take(frame: TerminalClientFrame): void {
		if (frame.type === 'attach') attach(frame);
		else if (frame.type === 'ping') send({ type: 'pong' });
		else if (viewer) command(viewer, frame);
		else refuse(notAttached());
	}

	function attach({ type: _type, encoding = 'binary', ...request }: Attach): void {
		if (viewer) {
			refuse(new AppError('conflict', 'This connection is already attached. Open another one.'));
			return;
		}
		const attached = screens.attach(id, request, toSink(encoding));
		if (attached.ok) {
			viewer = attached.value;
			return;
		}
		send({ type: 'refused', what: 'attach', error: toWireError(attached.error), final: true });
		wire.close(1008, 'not attached');
	}

	function toSink(encoding: 'binary' | 'base64'): TerminalSink {
		return {
			frame: send,
			bytes: (bytes) => {
				if (encoding === 'binary') wire.bytes(bytes);
				else send({ type: 'bytes', base64: Buffer.from(bytes).toString('base64') });
			},
			end: () => wire.close(1000, 'the program has ended'),
		};
	}

	function refuse(error: AppError): void {
		badFrames++;
		const final = badFrames > limits.badFrames;
		send({ type: 'refused', what: 'frame', error: toWireError(error), final });
		if (final) wire.close(1008, 'too many bad frames');
	}

	return {
		receive,
		leave(how) {
			viewer?.leave(how);
			viewer = undefined;
		},
	};
}

function command(viewer: TerminalViewer, frame: Exclude<TerminalClientFrame, { type: 'attach' | 'ping' }>): void {
	switch (frame.type) {
		case 'ack':
			viewer.ack(frame.position);
			break;
		case 'resize':
			viewer.resize({ cols: frame.cols, rows: frame.rows });
			break;
		case 'take':
			viewer.take();
			break;
		case 'input':
			viewer.input(Buffer.from(frame.base64, 'base64'));
			break;
		default:
			assertNever(frame);
	}
}

function readFrame(text: string, maxDepth: number): Result<TerminalClientFrame> {
	const json = parseBoundedJson(text, maxDepth);
	return json.ok ? parse('frame', terminalClientFrame, json.value) : err(json.error);
}

function notAttached(): AppError {
	return new AppError('bad_request', 'Attach first: send {"type":"attach","cols":…,"rows":…,"want":"view"}.');
}
