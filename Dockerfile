# The server over HTTP, as a user without rights and on a read-only root file system:
#   docker build -t shelpa-mcp .
#   docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
#     -e SHELPA_HTTP_TOKEN -v "$PWD:/workspace" --user "$(id -u):$(id -g)" -p 127.0.0.1:3456:3456 shelpa-mcp
# Over standard input and output instead: docker run --rm -i … shelpa-mcp --root /workspace
# On the machine's own platform, whatever the image is for: what it makes is JavaScript and WebAssembly.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund --ignore-scripts && npm run build

FROM node:22-bookworm-slim
ENV NODE_ENV=production
# The bundle holds all it needs.
COPY --from=build /build/dist /app/dist
COPY --from=build /build/package.json /build/LICENSE /app/
RUN mkdir /workspace && chown node:node /workspace
USER node
WORKDIR /workspace
EXPOSE 3456
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3456/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/dist/shelpa-mcp.js"]
CMD ["--root", "/workspace", "--http", "0.0.0.0:3456"]
