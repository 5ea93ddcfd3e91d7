// Loaded into a program before its own code: its clock is off by the milliseconds in a file, which may change while it runs.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const path = process.env.JUMPING_CLOCK ?? '';
const now = () => RealDate.now() + Number(readFileSync(path, 'utf8'));

globalThis.Date = new Proxy(RealDate, {
	construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
	get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
