// A log that clients cannot flood: only the first few warnings of each kind in a minute are written, the rest is counted.

const WINDOW_MS = 60_000;
const LINES_PER_WINDOW = 10;

export type ThrottledLog = Disposable & { readonly log: Log };

type Line = Parameters<Log>[0];
type Window = { written: number; leftOut: number; timer: NodeJS.Timeout };

export function createThrottledLog(log: Log): ThrottledLog {
	const windows = new Map<string, Window>();

	function close(msg: string): void {
		const { leftOut = 0, timer } = windows.get(msg) ?? {};
		clearTimeout(timer);
		windows.delete(msg);
		if (leftOut > 0) log({ level: 'warn', msg: `${msg}: further lines of the last minute were left out`, lines: leftOut });
	}

	function throttle(line: Line): void {
		const window = windows.get(line.msg) ?? { written: 0, leftOut: 0, timer: setTimeout(close, WINDOW_MS, line.msg).unref() };
		windows.set(line.msg, window);
		if (window.written < LINES_PER_WINDOW) {
			window.written++;
			log(line);
		} else window.leftOut++;
	}

	return {
		log: (line) => (line.level === 'warn' ? throttle(line) : log(line)),
		[Symbol.dispose]() {
			for (const msg of windows.keys()) close(msg);
		},
	};
}

/** Where the gateway reports refused requests. No line has a URL, a header or a body: they may contain secrets. */
export type Log = (line: { level: 'info' | 'warn' | 'error'; msg: string } & Record<string, unknown>) => void;
