// A gateway thread that a test can block: it then does nothing more, as after an endless loop.
import '../../src/gateway/threads/gateway-thread.ts';

addEventListener('message', ({ data }: MessageEvent<{ type?: string }>) => {
  while (data?.type === 'block');
});
