// Scripts that the pages of a benchmark run before their own: they note when something is on screen.

/** `rowsAt`: when the first rows of the feed were in the document, from the start of the load. */
export const MARK_ROWS = `
	const rows = new MutationObserver(() => {
		if (!document.querySelector('[role=feed] article')) return;
		rows.disconnect();
		requestAnimationFrame(() => { window.rowsAt = performance.now(); });
	});
	rows.observe(document, { subtree: true, childList: true });
`;

/** `shownAt`: when the first request, or the sentence of the floor, was in the document, from the start of the navigation. */
export const MARK_SHOWN = `
	const shown = new MutationObserver(() => {
		if (!document.querySelector('[data-ask]') && document.body?.textContent !== 'Ready') return;
		shown.disconnect();
		requestAnimationFrame(() => { window.shownAt = performance.now(); });
	});
	shown.observe(document, { subtree: true, childList: true });
`;

/** `painted`: the time of day at which each request, or each text of the floor, was painted. */
export const MARK_PAINTS = `
	window.painted = new Map();
	const paints = new MutationObserver(() => {
		for (const card of document.querySelectorAll('[data-ask]')) note(card.querySelector('[data-part=command]')?.textContent);
		note(document.querySelector('article:last-child span:last-child')?.textContent);
	});
	function note(name) {
		if (!name || painted.has(name)) return;
		painted.set(name, Infinity);
		requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => painted.set(name, performance.timeOrigin + performance.now()); channel.port2.postMessage(0); });
	}
	paints.observe(document, { subtree: true, childList: true });
	window.pressed = 0;
	addEventListener('click', ({ timeStamp }) => { window.pressed = performance.timeOrigin + timeStamp; }, true);
`;
