// A server of the Model Context Protocol for one request: tools, resources and prompts, by the official package. It is loaded
// with the first request, since few servers are asked.

import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../api/validation/json-schema.ts';
import { requireObject } from '../../api/validation/validate.ts';
import { includesRole } from '../../auth/rules/role.ts';
import { createPacer } from '../../process/pacer.ts';
import { VERSION } from '../../version.ts';
import { asToolError, ToolError } from './inner-call.ts';
import { PROMPTS } from './prompts.ts';
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts';
import { TOOLS } from './tools/all-tools.ts';
import type { Tool, ToolCall } from './tools/tool.ts';

const INSTRUCTIONS =
  'A historian of industrial data: datasets have tags, a tag has points with time, value and quality. Begin with list_datasets and list_tags; names are exact. Times are UTC in answers. Prefer read_statistics, read_aggregates and read_plot to reading many points.';

export function createMcpServer(call: ToolCall): Server {
  const server = new Server(
    { name: 'varve', title: 'Varve historian', version: VERSION },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  const tools = TOOLS.filter(({ role }) => includesRole(call.outer.caller.rights.role, role));
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describeTool) }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool '${params.name}'.`);
    return callTool(tool, call, params.arguments ?? {});
  });
  addResources(server, call);
  addPrompts(server);
  return server;
}

function describeTool({ name, title, description, arguments: inputSchema, role }: Tool) {
  const annotations = { title, readOnlyHint: role === 'read', destructiveHint: false, openWorldHint: false };
  return { name, title, description, inputSchema: { ...inputSchema, type: 'object' as const }, annotations };
}

/** Faults that the model can mend are results, so that it sees them. */
async function callTool(tool: Tool, call: ToolCall, given: JsonObject) {
  try {
    const answer = await tool.run(call, requireArguments(tool, given));
    // Other calls of the same body may have become ready in this turn.
    const pacer = createPacer();
    if (pacer.isDueNow()) await pacer.yield();
    return { content: [{ type: 'text' as const, text: JSON.stringify(answer) }] };
  } catch (error) {
    if (!(error instanceof ToolError)) call.failures.push(error);
    const text = error instanceof ToolError ? error.message : 'The server failed.';
    return { content: [{ type: 'text' as const, text }], isError: true };
  }
}

function requireArguments(tool: Tool, given: JsonObject): JsonObject {
  try {
    return requireObject(tool.arguments, given);
  } catch (error) {
    throw asToolError(error);
  }
}

function addResources(server: Server, call: ToolCall): void {
  server.setRequestHandler('resources/list', async () => ({ resources: await listResources(call) }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: RESOURCE_TEMPLATES.map((template) => ({ ...template })),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      const content = await readResource(call, uri);
      if (content === undefined) throw new ToolError(`There is no resource '${uri}'.`, 404);
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(content) }] };
    } catch (error) {
      if (error instanceof ToolError) throw asProtocolError(error, uri);
      call.failures.push(error);
      throw error;
    }
  });
}

/** What a caller may not read is told of as what is not there. */
function asProtocolError({ status, message }: ToolError, uri: string): ProtocolError {
  if (status === 403 || status === 404) return new ResourceNotFoundError(uri, message);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: wanted }) => ({
      name,
      title,
      description,
      arguments: wanted.map((argument) => ({ ...argument })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (prompt === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt '${params.name}'.`);
    const given = params.arguments ?? {};
    const missing = prompt.arguments.find(({ name, required }) => required && given[name] === undefined);
    if (missing)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `The prompt wants '${missing.name}': ${missing.description}`,
      );
    const { description } = prompt;
    return {
      description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(given) } }],
    };
  });
}
