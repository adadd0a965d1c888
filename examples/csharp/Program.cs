// Writes a point, prints the last hour of its tag, and then every new point until Ctrl-C. No packages.

using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;

var url = Environment.GetEnvironmentVariable("VARVE_URL") ?? "http://127.0.0.1:4511";
var token = Environment.GetEnvironmentVariable("VARVE_TOKEN");

using var http = new HttpClient { BaseAddress = new Uri(url) };
if (!string.IsNullOrEmpty(token))
{
    http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
}

// Write: tag name to points, any number of tags and points in a request.
var points = new Dictionary<string, object[]>
{
    ["Mixer/Speed"] = new object[] { new { t = DateTime.UtcNow, v = 42.5, q = 192 } },
};
using var written = await http.PostAsJsonAsync("/api/datasets/Examples/data", points);
if (!written.IsSuccessStatusCode)
{
    Console.Error.WriteLine(await written.Content.ReadAsStringAsync());
    return 1;
}

// Read.
var answer = await http.GetFromJsonAsync<JsonElement>("/api/datasets/Examples/data?tagname=Mixer/Speed&relativeStart=-1h");
foreach (var point in answer.GetProperty("tl")[0].GetProperty("d").EnumerateArray())
{
    Console.WriteLine("{0} {1} {2}", point.GetProperty("t"), point.GetProperty("v"), point.GetProperty("q"));
}

// Live: server-sent events; the data of one is a line of JSON.
using var stream = await http.GetStreamAsync("/api/datasets/Examples/live?tagname=Mixer/Speed");
using var reader = new StreamReader(stream);
while (await reader.ReadLineAsync() is { } line)
{
    if (line.StartsWith("data: ", StringComparison.Ordinal))
    {
        Console.WriteLine(line["data: ".Length..]);
    }
}
return 0;
