// Run by Copilot before each call: stdin → Roost's socket → stdout. Standalone; every failure is a denial.

const MAX_BYTES = 8 * 1024 * 1024;

const socketPath = process.argv[2] ?? '';
/** Copilot continues when its hook times out, so this one answers earlier. */
const deadlineMs = Number(process.argv[3]);
const { createConnection } = process.getBuiltinModule('node:net');

process.on('uncaughtException', () => refuse('the hook failed'));
setTimeout(() => refuse('nobody answered in time'), deadlineMs);
const parts: Buffer[] = [];
let size = 0;
process.stdin.on('data', (chunk: Buffer) => {
	size += chunk.length;
	if (size > MAX_BYTES) refuse('the call is too long');
	else parts.push(chunk);
});
process.stdin.on('end', () => exchange(Buffer.concat(parts)));
process.stdin.on('error', () => refuse('the call could not be read'));

function exchange(input: Buffer): void {
	const socket = createConnection(socketPath);
	let reply = '';
	socket.setEncoding('utf8');
	socket.on('data', (text: string) => {
		reply += text;
		const end = reply.indexOf('\n');
		if (end >= 0) finish(reply.slice(0, end));
		else if (reply.length > MAX_BYTES) refuse('the answer is too long');
	});
	socket.on('error', () => {});
	socket.on('close', () => refuse('Roost is not there'));
	// As one line: a line break in JSON is only whitespace.
	socket.write(`${input.toString('utf8').replaceAll(/[\r\n]/g, ' ')}\n`);
}

function refuse(why: string): void {
	const permissionDecisionReason = `Roost could not decide (${why}), and this session requires its decision.`;
	finish(JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason }));
}

let isFinished = false;
function finish(output: string): void {
	if (isFinished) return;
	isFinished = true;
	process.stdout.write(output, () => process.exit(0));
}
