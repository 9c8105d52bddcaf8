import os
import urllib.request

from openai import OpenAI

client = OpenAI(
    base_url=f"{os.environ['ATELIER_URL']}/v1",
    api_key=os.environ["ATELIER_API_KEY"],
    max_retries=0,  # sent again, it would be another image, paid again
)

made = client.images.generate(model="gen-image-2", prompt="A lighthouse at dusk", size="1536x1024")
print(made.data[0].url)

urllib.request.urlretrieve(made.data[0].url, "lighthouse.png")
with open("lighthouse.png", "rb") as image:
    edited = client.images.edit(model="gen-image-2", prompt="The same lighthouse at night", image=image)
print(edited.data[0].url)
