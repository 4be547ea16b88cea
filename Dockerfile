# The server as a user without rights, on a read-only root file system, without a network (docs/container.md):
#   docker build -t shelpa-mcp .
#   shelpa-mcp init --container docker --image shelpa-mcp      writes the entry that runs it
# Over HTTP instead: docs/scaling.md.

# An index of several platforms. The tag is for the reader and for Dependabot: the digest decides.
ARG NODE_IMAGE=node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c

# On the machine's own platform, whatever the image is for: what it makes is JavaScript and WebAssembly.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
# The build's own tools are no part of the package either.
RUN npm ci --no-audit --no-fund --ignore-scripts && npm run build && rm -rf dist/dev-* dist/.compiled

FROM ${NODE_IMAGE}
ARG NODE_IMAGE
LABEL org.opencontainers.image.title="shelpa-mcp" \
  org.opencontainers.image.description="The command lines agents type, run in-process inside one directory, with every write recorded." \
  org.opencontainers.image.source="https://github.com/shelpa/shelpa-mcp" \
  org.opencontainers.image.documentation="https://github.com/shelpa/shelpa-mcp/blob/main/docs/container.md" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.base.name="docker.io/library/${NODE_IMAGE}"
ENV NODE_ENV=production
# The bundle holds all it needs. Below /usr, where no project lies: one is mounted at its own path.
COPY --from=build /build/package.json /build/LICENSE /usr/local/lib/shelpa-mcp/
COPY --from=build /build/dist /usr/local/lib/shelpa-mcp/dist
RUN mkdir /workspace && chown 1000:1000 /workspace
# In digits, so that an orchestrator can see that it is not root.
USER 1000:1000
WORKDIR /workspace
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/usr/local/lib/shelpa-mcp/dist/shelpa-mcp.js"]
CMD ["--root", "/workspace"]
