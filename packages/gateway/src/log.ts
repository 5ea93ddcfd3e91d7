// Where the gateway reports what it refused and what went wrong. No line carries a URL, a header or a body: they may hold secrets.
export type Log = (line: { level: 'info' | 'warn' | 'error'; msg: string } & Record<string, unknown>) => void;
