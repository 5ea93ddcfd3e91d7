// Who counts as looking: an open stream of a face that shows what waits. A command that follows a feed or rings a bell shows nothing of it.
const SHOWING_FACES = /^(?:tui|web(?::.+)?)$/;

export function countWatching(faces: Iterable<string>): number {
	let count = 0;
	for (const face of faces) if (SHOWING_FACES.test(face)) count++;
	return count;
}
