// How long ago something happened; the exact time is its tooltip.
import { age } from '@roost/core/display/age';
import { useWorld } from '../data/use-world.ts';

export function When({ at }: { at: number }) {
	const { now } = useWorld();
	const date = new Date(at);
	return (
		<time dateTime={date.toISOString()} title={date.toLocaleString()}>
			{age(at, now)} ago
		</time>
	);
}
