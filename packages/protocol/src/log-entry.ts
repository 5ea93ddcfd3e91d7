// A stored line as it is read: its place, and the bytes that were written.
import type { StreamId } from './ids.ts';

export type LogEntry = { seqNo: number; offset: number; stream: StreamId; line: string };
