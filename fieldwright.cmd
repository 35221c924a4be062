@echo off
rem Starts the command line of this checkout, with its own Node if it has one, else with the system's.
setlocal
set "NODE=%~dp0node_modules\node\bin\node.exe"
if not exist "%NODE%" set "NODE=node"
"%NODE%" "%~dp0build\tasks\fieldwright.mjs" %*
exit /b %ERRORLEVEL%
